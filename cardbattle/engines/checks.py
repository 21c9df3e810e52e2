"""Test whether an engine follows the protocol.

Each check has a name, a sentence that says what an engine must do, and a function. If the engine
does not do it, the function raises CheckFailed, whose message describes the problem. If the check does not
apply to the engine, the function raises Skipped. Most checks share one process of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import NamedTuple

from cardbattle.commanders.ranks import CommanderFailed
from cardbattle.core.chance import stream
from cardbattle.core.names import quoted
from cardbattle.engines.conversation import (
    CheckedBattle,
    CheckFailed,
    Conversation,
    Setting,
    Skipped,
    option_of,
    require,
)
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import Clock
from cardbattle.engines.process import LogLine
from cardbattle.engines.protocol import VERSION, Message
from cardbattle.rules import RULE_SETS

SHORT = 0.2  # seconds for each decision, for a test of short deadlines
STOPPED = 0.5  # seconds within which an engine must answer after `stop`
END = 1.0  # seconds within which an engine must end
LONG = 200_000  # number of characters in a long field
MANY = 10  # number of battles in progress at the same time
NEVER_READY = "it does not answer hello with ready"  # the reason why all later checks are skipped
VARIANTS = {
    "wargame": Setting("wargame", ("east", "west"), {"multi_switch": True, "chips": 4}, 1),
    "field-of-honour": Setting("field-of-honour", ("york", "lancaster"), {}, 1),
    "warmonger": Setting("warmonger", ("red", "white", "blue"), {}, 2),
    "strategy-war": Setting("strategy-war", ("ann", "ben", "cid"), {"mode": "dark"}, 1),
    "warfare-tactics": Setting("warfare-tactics", ("ann", "ben"), {"play_and_attack": True}, 1),
}


class Checker:
    """The engine under test.

    Most checks share one process of the engine. It is started when a check needs it, and again after a
    failure.
    """

    def __init__(self, engine: Engine, seconds: float, log: LogLine) -> None:
        self.engine = engine
        self.seconds = seconds
        self.log = log
        self.shared: Conversation | None = None
        self.started: list[Conversation] = []
        self.is_greeted: bool | None = None  # True after the first `ready`, False if the first `hello` failed

    def start(self, **hello: object) -> Conversation:
        """Start a process that only the current check uses, and return the conversation with it.

        The keyword arguments are additional fields of the message `hello`. Raises Skipped if the engine has
        not answered its first `hello`.
        """
        self.skip_if_never_ready()
        self.started.append(Conversation(self.engine, self.seconds, self.log, hello))
        return self.started[-1]

    @property
    def talk(self) -> Conversation:
        """The conversation with the process that the checks share.

        If the engine does not answer its first `hello`, the current check fails, and all other checks are
        skipped.
        """
        if self.shared is None or not self.shared.process.is_running:
            self.close()
            self.skip_if_never_ready()
            try:
                self.shared = Conversation(self.engine, self.seconds, self.log)
            finally:
                if self.is_greeted is None:
                    self.is_greeted = self.shared is not None
        return self.shared

    def skip_if_never_ready(self) -> None:
        """Raise Skipped if the engine did not answer its first `hello`, instead of waiting again."""
        if self.is_greeted is False:
            raise Skipped(NEVER_READY)

    def close_started(self) -> None:
        """End the processes that only the current check uses."""
        for talk in self.started:
            talk.close()
        self.started.clear()

    def close(self) -> None:
        """End the process that the checks share."""
        if self.shared is not None:
            self.shared.close()
        self.shared = None

    def setting(self, number: int = 0) -> Setting:
        """Return the description of a battle that the engine can play.

        With another `number`, the battle has another rule set and another deal.
        """
        rule_keys = [key for key in RULE_SETS if self.talk.knows(key)]
        if not rule_keys:
            raise Skipped("it plays no built-in rule set")
        return Setting(rule_keys[number % len(rule_keys)], seed=number + 1)

    def at_question(self, number: int = 0) -> CheckedBattle:
        """Return a battle that has reached a question to the engine."""
        battle = self.talk.battle(self.setting(number))
        require(battle.advance(), "the battle ended before a question")
        return battle


class Check(NamedTuple):
    """A check, with its name, a sentence that says what an engine must do, and the test function."""

    name: str
    words: str
    run: Callable[[Checker], None]


def speaks_protocol(checker: Checker) -> None:
    require_version(checker.talk)


def require_version(talk: Conversation) -> None:
    """Raise CheckFailed if the message `ready` of the engine does not have the version of this protocol."""
    protocol = talk.ready.get("protocol")
    is_version = protocol == VERSION and not isinstance(protocol, bool)
    require(is_version, f"ready has protocol {quoted(protocol)}, not the number {VERSION}")


def has_a_name(checker: Checker) -> None:
    name = checker.talk.ready.get("name")
    require(isinstance(name, str) and bool(name.strip()), "ready has no name")


def has_typed_fields(checker: Checker) -> None:
    ready = checker.talk.ready
    for field in ("rules", "wants"):
        value = ready.get(field, [])
        require(
            isinstance(value, list) and all(isinstance(text, str) for text in value),
            f"{field} of ready is not a list of texts",
        )
    for field in ("version", "author"):
        require(isinstance(ready.get(field, ""), str), f"{field} of ready is not a text")


def names_known_rules(checker: Checker) -> None:
    rules = checker.talk.ready.get("rules", [])
    if not isinstance(rules, list):
        raise CheckFailed("rules of ready is not a list of texts")
    unknown = [str(key) for key in rules if key not in RULE_SETS]
    require(len(unknown) < max(1, len(rules)), f"no rule set of the host among {', '.join(unknown)}")


def ignores_fields_of_hello(checker: Checker) -> None:
    checker.start(later={"a": [1]})


def accepts_options(checker: Checker) -> None:
    checker.start(options={"unknown option": "Zoë – 王 🂡"})


def answers_a_later_host(checker: Checker) -> None:
    require_version(checker.start(protocol=VERSION + 1))


def starts_twice(checker: Checker) -> None:
    for talk in (checker.start(), checker.start()):
        talk.expect_silence()


def refuses_unknown_messages(checker: Checker) -> None:
    checker.talk.send({"type": "later", "battle": "x"})
    error = checker.talk.expect_error("unknown-message")
    require("battle" not in error, "the error has a battle, which means that the battle cannot be played")


def refuses(line: bytes, checker: Checker) -> None:
    checker.talk.send_raw(line)
    checker.talk.expect_error("invalid-message", "unknown-message")
    checker.talk.expect_silence()


def refuses_unknown_battles(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send({**question, "battle": "no-such-battle"})
    error = checker.talk.expect_error("unknown-battle")
    require(error.get("battle") == "no-such-battle", 'the error does not have battle "no-such-battle"')
    checker.talk.send(question)
    battle.carry_out(checker.talk.answer(question))


def ignores_fields(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    options = question["options"]
    assert isinstance(options, list)
    extended = {**question, "later": [{}], "options": [{**option, "later": 1} for option in options]}
    checker.talk.send(extended)
    battle.carry_out(checker.talk.answer(question))


def reads_long_lines(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send({**question, "later": "x" * LONG})
    battle.carry_out(checker.talk.answer(question))


def ignores(message: Message, checker: Checker) -> None:
    checker.talk.send(message)
    checker.talk.expect_silence()


def plays(setting: Setting, checker: Checker) -> None:
    checker.talk.battle(setting).play()
    checker.talk.expect_silence()


def plays_both_seats(checker: Checker) -> None:
    """Play two battles with the same deal, in which the engine has different seats."""
    for seat in (0, 1):
        checker.talk.battle(checker.setting(1)._replace(seat=seat)).play()


def forgets_battles(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send(question)
    battle.carry_out(checker.talk.answer(question))
    battle.play()
    checker.talk.send(question)
    checker.talk.expect_error("unknown-battle")


def answers_again(times: int, checker: Checker) -> None:
    """Reject several answers of the engine, and ask again without the rejected option each time.

    `times` is the number of answers to reject.
    """
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send(question)
    for _ in range(times):
        rejected = checker.talk.answer(question)
        options = question["options"]
        assert isinstance(options, list)
        left = [option for option in options if option["id"] != rejected]
        if not left:
            raise Skipped("the question has too few options")
        question = {**question, "options": left, "events": []}
        text = f"{rejected} is not possible now"
        place = {"battle": battle.name, "sequence": battle.sequence}
        checker.talk.send({"type": "error", "code": "illegal-answer", "text": text, **place})
        checker.talk.send(question)
    battle.carry_out(checker.talk.answer(question))
    checker.talk.expect_silence()


def takes_the_last_option(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    options = question["options"]
    assert isinstance(options, list)
    only = {**question, "options": options[-1:]}
    only.pop("also", None)
    checker.talk.send(only)
    battle.carry_out(checker.talk.answer(only))


def goes_by_ids(checker: Checker) -> None:
    """Ask a question with the options in reverse order."""
    battle = checker.at_question()
    question = battle.question()
    options = question["options"]
    assert isinstance(options, list)
    turned = {**question, "options": options[::-1]}
    checker.talk.send(turned)
    battle.carry_out(checker.talk.answer(turned))


def answers_in_time(checker: Checker) -> None:
    battle = checker.talk.battle(checker.setting(3), Clock(checker.seconds))
    while battle.advance():
        began = monotonic()
        battle.step()
        require(monotonic() - began < checker.seconds, "an answer came after the deadline")


def keeps_a_short_clock(checker: Checker) -> None:
    battle = checker.talk.battle(checker.setting(0), Clock(SHORT))
    for _ in range(MANY):
        if not battle.advance():
            return
        began = monotonic()
        battle.step()
        spent = monotonic() - began
        require(spent < SHORT + STOPPED, f"took {spent:.2f} s with {SHORT} s for a decision")


def answers_after_stop(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send(question)
    checker.talk.send({"type": "stop", "battle": battle.name, "sequence": battle.sequence})
    began = monotonic()
    battle.carry_out(checker.talk.answer(question))
    spent = monotonic() - began
    require(spent < STOPPED, f"took {spent:.2f} s after stop")
    checker.talk.expect_silence()


def ignores_a_late_stop(checker: Checker) -> None:
    battle = checker.at_question()
    battle.step()
    checker.talk.send({"type": "stop", "battle": battle.name, "sequence": battle.sequence})
    checker.talk.expect_silence()


def alternates(checker: Checker) -> None:
    battles = [checker.talk.battle(checker.setting(number)) for number in (1, 2)]
    play_in_turns(battles)


def plays_many(checker: Checker) -> None:
    play_in_turns([checker.talk.battle(checker.setting(number)) for number in range(MANY)], MANY)


def play_in_turns(battles: list[CheckedBattle], most: int = 10**6) -> None:
    """Ask one question in each battle in turn, and repeat this until all battles are over.

    `most` is the maximum number of questions in a battle.
    """
    for _ in range(most):
        battles = [battle for battle in battles if battle.advance()]
        for battle in battles:
            battle.step()
        if not battles:
            return


def answers_open_questions(checker: Checker) -> None:
    """Ask questions in two battles at the same time, and accept the answers in any order."""
    battles = {battle.name: battle for battle in (checker.at_question(1), checker.at_question(2))}
    questions = {name: battle.question() for name, battle in battles.items()}
    for question in questions.values():
        checker.talk.send(question)
    for _ in range(len(questions)):
        message = checker.talk.receive()
        name = str(message.get("battle"))
        require(name in questions, f"answered in battle {name!r}, which has no open question")
        battles[name].carry_out(option_of(message, questions.pop(name)))


def sends_only_known_messages(checker: Checker) -> None:
    """Play a battle, and check that the engine has never sent a message of an unknown type."""
    checker.talk.battle(checker.setting()).play()
    checker.talk.expect_silence()
    unknown = checker.talk.process.unknown
    require(not unknown, f"sent a message of an unknown type: {unknown}")


def separates_battles(checker: Checker) -> None:
    """Check that the engine's answers in a battle do not depend on another battle.

    The check compares the answers in two battles with the same seed. It is skipped if the engine does not
    always make the same decisions with the same seed.
    """
    alone = find_repeated_moves(checker)
    talk = checker.start()
    battle, other = talk.battle(checker.setting(1)), talk.battle(checker.setting(2))
    play_in_turns([other, battle])
    for move, again in zip(alone, battle.referee.moves, strict=False):
        require(move == again, f"chose {move}, but {again} when it also played another battle")


def survives_abandoned_battles(checker: Checker) -> None:
    left, other = checker.at_question(1), checker.at_question(2)
    left.step()
    other.step()
    checker.talk.send({"type": "result", "battle": left.name, "winners": [], "reason": "abandoned"})
    other.play()


def ask_with_other_hidden_cards(checker: Checker, first: Conversation, second: Conversation) -> None:
    """Play the same battle in two conversations, and check that the answers are the same.

    In the second conversation, the hidden cards are dealt again before each question.
    """
    setting = checker.setting(1)
    one, two = first.battle(setting), second.battle(setting)
    while one.advance() and two.advance():
        question = one.question()
        first.send(question)
        answer = first.answer(question)
        battle = two.referee.battle
        redealt = battle.redeal(two.seat, stream(setting.seed, f"hidden/{two.sequence}"))
        two.referee.battle = redealt if redealt.side == two.seat else battle
        question = two.question()
        two.referee.battle = battle
        second.send(question)
        again = second.answer(question)
        if again != answer:
            raise CheckFailed(f"answered {answer}, but {again} when only cards hidden from it were changed")
        one.carry_out(answer)
        two.carry_out(answer)


def repeats_itself(checker: Checker) -> None:
    find_repeated_moves(checker)


def find_repeated_moves(checker: Checker) -> list[str]:
    """Play the same battle twice with the same seed, and return the moves.

    Raises Skipped if the engine makes different decisions in the two battles, which the protocol allows.
    """
    answers = []
    for _ in range(2):
        battle = checker.start().battle(checker.setting(1))
        while battle.advance():
            battle.step()
        answers.append(battle.referee.moves)
    if answers[0] != answers[1]:
        raise Skipped("it decides differently with the same seed, which is allowed")
    return answers[0]


def uses_nothing_hidden(checker: Checker) -> None:
    """Check that the engine's answers do not depend on hidden cards.

    The check is skipped if the engine does not always make the same decisions with the same seed.
    """
    repeats_itself(checker)
    ask_with_other_hidden_cards(checker, checker.start(), checker.start())


def has_typed_answers(checker: Checker) -> None:
    battle = checker.at_question()
    question = battle.question()
    checker.talk.send(question)
    message = checker.talk.receive()
    battle.carry_out(option_of(message, question))
    require(isinstance(message.get("comment", ""), str), "comment is not a text")
    value = message.get("evaluation", 0)
    is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    require(is_share, f"evaluation {value!r} is not a number from 0 to 1")
    variation = message.get("variation", [])
    is_list = isinstance(variation, list) and all(isinstance(text, str) for text in variation)
    require(is_list, "variation is not a list of texts")


def ends_at_quit(checker: Checker) -> None:
    talk = checker.start()
    code = talk.close()
    require(code is not None, "was still running a second after quit")
    require(code == 0, f"ended with exit code {code}")


def ends_during_a_battle(checker: Checker) -> None:
    talk = checker.start()
    battle = talk.battle(checker.setting())
    require(battle.advance(), "the battle ended before a question")
    battle.step()
    code = talk.close()
    require(code == 0, f"ended with exit code {code}" if code is not None else "was still running")


def ends_at_the_end_of_input(checker: Checker) -> None:
    talk = checker.start()
    talk.process.writer.close()
    talk.process.allow(END)
    with suppress(CommanderFailed):
        talk.receive()
    code = talk.process.child.poll()
    was_killed = talk.process.was_killed
    talk.close()
    require(not was_killed and code is not None, "was still running a second after the end of its input")


def is_quiet_at_the_end(checker: Checker) -> None:
    """Check that the engine writes nothing to standard output after the message `quit`."""
    talk = checker.start()
    talk.send({"type": "quit"})
    with suppress(CommanderFailed):
        message = talk.receive()
        raise CheckFailed(f"sent {message['type']} after quit")
    talk.close()


def battle_checks() -> list[Check]:
    """Return two checks for each rule set.

    One check plays a whole battle with default options, and the other with other options.
    """
    usual = [
        Check(f"plays-{key}", f"plays a whole battle of {key}", partial(plays, Setting(key)))
        for key in RULE_SETS
    ]
    return usual + [
        Check(f"options-{key}", f"plays {key} with other options, from another seat", partial(plays, setting))
        for key, setting in VARIANTS.items()
    ]


ALREADY = {"type": "result", "battle": "no-such-battle", "winners": [], "reason": "abandoned"}
NEWS = {"type": "event", "battle": "no-such-battle", "events": [{"event": "later"}]}
COMPLAINT = {"type": "error", "code": "later", "text": "for the log"}
CHECKS = [
    Check("protocol", "answers hello with ready, protocol 1", speaks_protocol),
    Check("name", "has a name", has_a_name),
    Check("ready-fields", "the fields of ready have their types", has_typed_fields),
    Check("ready-rules", "plays a rule set of the host", names_known_rules),
    Check("hello-fields", "ignores unknown fields of hello", ignores_fields_of_hello),
    Check("hello-options", "accepts unknown options, in any script", accepts_options),
    Check("hello-protocol", "answers hello of a later protocol with protocol 1", answers_a_later_host),
    Check("two-processes", "can run twice at the same time", starts_twice),
    Check("unknown-message", "answers an unknown message with an error", refuses_unknown_messages),
    Check("not-json", "answers a line that is not JSON with an error", partial(refuses, b"hello\n")),
    Check("not-an-object", "answers JSON that is not a message with an error", partial(refuses, b"[1, 2]\n")),
    Check(
        "no-type", "answers an object without a type with an error", partial(refuses, b'{"battle": "x"}\n')
    ),
    Check("unknown-battle", "answers a question of an unknown battle with an error", refuses_unknown_battles),
    Check("unknown-fields", "ignores unknown fields of a question and its options", ignores_fields),
    Check("long-line", "reads a line of 200,000 characters", reads_long_lines),
    Check("unknown-result", "ignores the result of an unknown battle", partial(ignores, ALREADY)),
    Check("unknown-event", "ignores an event of an unknown battle", partial(ignores, NEWS)),
    Check("host-error", "ignores an error with an unknown code", partial(ignores, COMPLAINT)),
    *battle_checks(),
    Check("both-seats", "plays the same deal from both seats", plays_both_seats),
    Check("forgets", "forgets a battle after its result", forgets_battles),
    Check("illegal-answer", "answers again after its answer was rejected", partial(answers_again, 1)),
    Check("illegal-twice", "answers again after two rejected answers", partial(answers_again, 2)),
    Check("last-option", "chooses the only remaining option", takes_the_last_option),
    Check("option-ids", "chooses by id, in any order of the options", goes_by_ids),
    Check("answer-fields", "comment, evaluation and variation have their types", has_typed_answers),
    Check("deadline", "answers every question within the time limit", answers_in_time),
    Check("short-clock", "adapts to 0.2 seconds for each decision", keeps_a_short_clock),
    Check("stop", "answers exactly once within 0.5 seconds after stop", answers_after_stop),
    Check("late-stop", "ignores a stop that comes after its answer", ignores_a_late_stop),
    Check("alternating", "plays two battles in turns", alternates),
    Check("many-battles", "plays ten battles of all its rule sets in turns", plays_many),
    Check("open-questions", "answers two questions that are open at the same time", answers_open_questions),
    Check("abandoned", "continues to play after another battle was abandoned", survives_abandoned_battles),
    Check("known-messages", "sends only ready, answer and error", sends_only_known_messages),
    Check("repeatable", "makes the same decision with the same seed (recommended)", repeats_itself),
    Check("nothing-hidden", "makes the same decision if the hidden cards differ", uses_nothing_hidden),
    Check("separate-battles", "makes the same decision if it also plays another battle", separates_battles),
    Check("quit", "exits with code 0 after quit", ends_at_quit),
    Check("quit-in-battle", "exits after quit during a battle", ends_during_a_battle),
    Check("end-of-input", "exits at the end of its input", ends_at_the_end_of_input),
    Check("quiet-end", "writes nothing after quit", is_quiet_at_the_end),
]


class CheckResult(NamedTuple):
    """The result of a check: `passed`, or `failed` or `skipped` with a reason."""

    check: Check
    state: str
    reason: str


def run_check(check: Check, checker: Checker) -> CheckResult:
    """Run one check, and return its result. The log names the check before its messages.

    If the check fails, the shared process is ended, so that the next check starts a new process.
    """
    checker.log(f"{checker.engine.name} check {check.name}")
    try:
        check.run(checker)
    except Skipped as skipped:
        return CheckResult(check, "skipped", str(skipped))
    except (CheckFailed, CommanderFailed) as failed:
        checker.close()
        return CheckResult(check, "failed", str(failed))
    finally:
        checker.close_started()
    return CheckResult(check, "passed", "")
