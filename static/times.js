// Moments as the phone's own clock and calendar say them. The pages have them in UTC.
//
// The time is left out on days, and the day on today's, but for those that stand in a history: it
// is read by whoever plays again weeks later.
"use strict";

// As the phone writes them, where it speaks the language of the page.
const { lang } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  const [day, moment] = ["day", "moment"].map((kind) => time.classList.contains(kind));
  const today = at.toDateString() === new Date().toDateString();
  time.textContent = at.toLocaleString(locale, {
    ...((day || moment || !today) && { dateStyle: "medium" }),
    ...(!day && { timeStyle: "short" }),
  });
}
