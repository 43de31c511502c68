"""The rule sheet says everything of every game, under every value of every house rule."""

import pytest

from scorekeeper.rules import RuleError
from scorekeeper.rules.cards import DECK, Cards
from scorekeeper.rules.games import GAMES
from scorekeeper.rules.sentence import shown
from scorekeeper.rules.sheet import sheet, stated
from scorekeeper.rules.yaku import CLASSES

TABLES = {
    f"{game.key}, {rule.key} = {choice.value}": (game, {rule.key: choice.value})
    for game in GAMES.values()
    for rule in game.house_rules
    for choice in rule.choices
}
EVERY_TABLE = pytest.mark.parametrize(("game", "rules"), TABLES.values(), ids=TABLES)
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def table(game, rules, key):
    """The rows of a section, as text."""
    return [[shown(cell) for cell in row] for row in sheet(game, rules).section(key).rows]


def sentences(game, rules, key):
    return [shown(sentence) for sentence in sheet(game, rules).section(key).sentences]


@EVERY_TABLE
def test_names_every_yaku_with_its_value(game, rules):
    played = game.under(rules)
    for kind in CLASSES:
        if not played.by_kind[kind]:
            with pytest.raises(KeyError):
                sheet(game, rules).section(kind)
            continue
        rows = table(game, rules, kind)
        assert [row[0] for row in rows] == [shown(yaku) for yaku in played.by_kind[kind]]
        for row, yaku in zip(rows, played.by_kind[kind], strict=True):
            assert row[1:3] == [str(yaku.cards), shown(yaku.sentence)]
            assert row[3].split(",")[0] == str(yaku.first)


@EVERY_TABLE
def test_names_every_difference(game, rules):
    ((key, value),) = rules.items()
    rule = game.rule(key)
    differs = [[shown(rule.name), shown(rule.choice(value).label), shown(rule.choices[0].label)]]
    assert table(game, rules, "differences") == ([] if value == rule.default else differs)


def test_says_since_when_a_rule_holds():
    bakappana = GAMES["bakappana"]
    rules = {"tie": "nobody", "settlement": "additive"}
    (*_, tie) = sheet(bakappana, rules, {"tie": 3, "chaff": 5}).section("differences").rows
    assert shown(tie[1]) == "nobody takes it, from round 3 on"
    assert [shown(row[1]) for row in sheet(bakappana, rules).section("differences").rows] == [
        "additive: your points are your score",
        "nobody takes it",
    ]


def test_states_house_rules_in_words():
    assert [shown(one) for one in stated(GAMES["hachi-hachi"], {"sage_penalty": "none"})] == [
        "Playing on, and losing: nothing"
    ]


def test_states_what_it_has_no_words_for_as_it_is_written():
    told = stated(GAMES["hachi-hachi"], {"sage_penalty": "triple", "unheard": 1})
    assert [shown(one) for one in told] == ["sage_penalty: triple", "unheard: 1"]


@EVERY_TABLE
def test_says_all_house_rules_and_what_is_void(game, rules):
    played = {**game.defaults, **rules}
    assert [row[:2] for row in table(game, rules, "house_rules")] == [
        [shown(rule.name), shown(rule.choice(played[rule.key]).label)] for rule in game.house_rules
    ]
    void = sentences(game, rules, "voids")
    assert len(set(void)) == len(void)
    assert {shown(sentence) for sentence in game.under(rules).voids} == set(void)


@EVERY_TABLE
def test_rows_fit_their_columns_and_nothing_is_blank(game, rules):
    for section in sheet(game, rules).sections:
        assert section.sentences or section.rows
        for row in section.rows:
            assert len(row) == len(section.columns)
            assert all(shown(cell) for cell in row if not isinstance(cell, Cards))


@EVERY_GAME
def test_all_house_rules_at_once(game):
    last = {rule.key: rule.choices[-1].value for rule in game.house_rules}
    assert len(table(game, last, "differences")) == len(last)


@EVERY_GAME
def test_every_group_is_named_as_one(game):
    text = sentences(game, {}, "dekiyaku") if game.by_kind["dekiyaku"] else []
    for yaku in game.by_kind["dekiyaku"]:
        if yaku.group is not None:
            assert any(shown(yaku) in sentence for sentence in text)


@EVERY_TABLE
def test_says_how_it_goes_and_what_is_dealt(game, rules):
    assert len(sentences(game, rules, "goes")) >= 3
    dealt = [[int(cell) for cell in row] for row in table(game, rules, "deals")]
    assert tuple(players for players, *_ in dealt) == game.seats
    for players, hand, field, pile in dealt:
        assert players * hand + field + pile == len(DECK)


@EVERY_GAME
def test_a_pattern_never_changes_without_its_sentence(game):
    # else the sheet would say the old one
    for rule in game.house_rules:
        for choice in rule.choices:
            for key, changes in choice.changes.items():
                assert "pattern" not in changes or "sentence" in changes, (rule.key, key)


SAID = {  # game, house rules, section, and what stands there
    "card points of kaga": ("kaga", {}, "values", ["11B 12B", "20"]),
    "card points of a kind": ("bakappana", {}, "values", ["chaff", "1"]),
    "dealt to four": ("bakappana", {}, "deals", ["4", "5", "8", "20"]),
    "ten cards for two": ("hana-awase", {"two_player_end": "ten_card"}, "deals",
                          ["2", "10", "8", "20"]),
    "the rain man adds": ("hachi-hachi", {}, "dekiyaku", [
        "Four Brights 四光", "1B 3B 8B 12B",
        "Crane, curtain, moon and phoenix; the rain man is none of the four.",
        "100, and 20 more with the rain man"]),
    "each further month": ("kaga", {}, "dekiyaku", [
        "Whole Month シマ", "", "All four cards of a month, each time.",
        "20, and 20 for each further one"]),
    "sixteen chaff are needed": ("yokohama-bana", {"chaff_needed": 16}, "special", [
        "Sixteen Chaff 素十六", "", "At least sixteen chaff; all willow cards count as chaff.",
        "4"]),
}  # fmt: skip


@pytest.mark.parametrize(("game", "rules", "section", "row"), SAID.values(), ids=SAID)
def test_says(game, rules, section, row):
    assert row in table(GAMES[game], rules, section)


def test_says_which_are_paid_alone():
    best = "Of several teyaku, a player is paid the best alone."
    group = "Of these, a player is paid the best alone: "
    assert best in sentences(GAMES["hachi-hachi"], {}, "teyaku")
    told = sentences(GAMES["hachi-hachi"], {"teyaku": "one_per_group"}, "teyaku")
    assert best not in told
    assert sum(sentence.startswith(group) for sentence in told) == 2


SPECIALS = {"all88": "from_each", "over168": "on", "kasu16": "on"}


def test_says_that_the_first_special_yaku_of_hachi_hachi_is_paid_alone():
    told = sentences(GAMES["hachi-hachi"], SPECIALS, "special")
    assert "Only the first of these that applies is paid." in told
    assert "They add up." not in told
    one = sentences(GAMES["hachi-hachi"], {"over168": "on"}, "special")
    assert not any("first of these" in sentence for sentence in one)


@pytest.mark.parametrize("all88", ["bonus", "from_each"])
def test_says_whose_the_eighty_eight_is_and_who_pays(all88):
    rules = {**SPECIALS, "all88": all88}
    (pays, *_) = sentences(GAMES["hachi-hachi"], rules, "special")
    ((_, _, what, _), *others) = table(GAMES["hachi-hachi"], rules, "special")
    assert "the dealer’s" in what
    # the others are paid by everybody, and this is unless it says otherwise
    assert "from each other player" in pays
    bonus = all88 == "bonus"
    assert ("unless" in pays, "nobody pays" in what) == (bonus, bonus)
    assert not any("nobody" in row[2] for row in others)


def test_says_what_brights_in_the_field_do():
    told = {
        choice.value: sentences(GAMES["hachi-hachi"], {"multi_bright": choice.value}, "goes")[0]
        for choice in GAMES["hachi-hachi"].rule("multi_bright").choices
    }
    assert len(set(told.values())) == 3
    assert "each other" in told["stack"]
    assert "rounds that follow" in told["carry_over"]


VOID = {
    "nothing special is played": ({}, None),
    "teyaku as well": (
        {"over168": "on"},
        "A special yaku settles the round: card points and teyaku are void."),
    "only the card points": (
        {"kasu16": "on", "specials_replace": "card_points"},
        "A special yaku settles the round: card points are void."),
}  # fmt: skip


@pytest.mark.parametrize(("rules", "said"), VOID.values(), ids=VOID)
def test_says_what_a_special_yaku_of_hachi_hachi_voids(rules, said):
    void = sentences(GAMES["hachi-hachi"], rules, "voids")
    assert [one for one in void if "special yaku" in one] == ([] if said is None else [said])


UNTRUE = {  # what another house rule makes untrue: game, rules, words
    "kaga plays on with empty hands": ("kaga", {"two_player_end": "drain"}, "hands are empty"),
    "the pile of bakappana is not empty": (
        "bakappana", {"two_player_end": "hands_empty", "settlement": "additive"},
        "pile are empty"),
    "the pile of hana-awase is not empty": (
        "hana-awase", {"two_player_end": "hands_empty", "settlement": "additive"},
        "pile are empty"),
    "the winner does not deal": (
        "hachi-hachi", {"next_starter": "rotate"}, "The winner of a round deals"),
    "sixteen chaff are needed": ("yokohama-bana", {"chaff_needed": 16}, "fourteen chaff"),
}  # fmt: skip


@pytest.mark.parametrize(("game", "rules", "words"), UNTRUE.values(), ids=UNTRUE)
def test_says_nothing_that_another_house_rule_makes_untrue(game, rules, words):
    goes = sentences(GAMES[game], rules, "goes")
    about = [row[2] for row in table(GAMES[game], rules, "house_rules")]
    # that eight cards are left in the pile when hands are empty is true, whoever plays on
    assert not any(words in one for one in [*goes, *about] if "eight are left" not in one)


def test_an_unknown_house_rule_is_refused():
    with pytest.raises(RuleError, match="unknown_rule"):
        sheet(GAMES["kaga"], {"chaff": 1})
