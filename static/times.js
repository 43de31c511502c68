// Moments as the phone's own clock and calendar say them. The pages have them in UTC.
//
// On today's the day is left out, and on days the time.
"use strict";

// As the phone writes them, where it speaks the language of the page.
const { lang } = document.documentElement;
const locale = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  const today = at.toDateString() === new Date().toDateString();
  const day = time.classList.contains("day");
  time.textContent = at.toLocaleString(locale, {
    ...((day || !today) && { dateStyle: "medium" }),
    ...(!day && { timeStyle: "short" }),
  });
}
