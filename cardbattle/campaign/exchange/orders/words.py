"""The words of players' orders to move, and the patterns that read them.

The table in `docs/order-mails.md` lists these words, and a test compares the two.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

HOLD_WORDS = ("hold", "stay", "halt", "wait", "stand", "rest", "defend")
HERE_WORDS = (
    "here", "there", "position", "put", "still", "fast", "on", "tight", "firm", "behind", "back",
    "your ground", "our ground", "the line", "home", "at home", "where you are", "where we are",
    "where they are", "where it is", "where he is", "where she is",
)  # behind a word to hold  # fmt: skip
AT_WORDS = ("at", "on", "in")  # between a word to hold and the place of the force
STAY_WORDS = ("sit", "camp", "remain", "dig in")  # words to hold that can also have another meaning
GUARD_WORDS = ("guard", "keep to")  # the same, directly before the place of the force
JOIN_VERBS = ("join", "follow", "go with", "march with")
JOIN_WORDS = (*JOIN_VERBS, "with", "together with")
MARCH_WORDS = (
    "march", "move", "go", "advance", "ride", "walk", "attack", "return", "retreat", "withdraw", "fall back",
    "back",
)  # fmt: skip
TAKE_WORDS = (
    "take", "take back", "retake", "capture", "occupy", "secure", "seize", "run for", "run to", "head for",
    "head to", "make for",
)  # directly before the name of a place to march to  # fmt: skip
GO_WORDS = (
    "come", "walk", "run", "row", "sail", "swim", "head", "hurry", "rush", "race", "press", "push", "break",
    "cross", "climb", "stroll", "wander", "hike", "trek", "trudge", "travel", "proceed", "creep", "crawl",
    "sneak", "slip", "steal",
)  # before `to` and the name of a place to march to, also with a direction  # fmt: skip
DIRECTIONS = ("up", "down", "over", "out", "across", "along", "on", "back", "home")  # before `to`
TO_WORDS = ("to", "toward", "towards", "for", "on", "against", "on to", "into")
VIA_WORDS = ("via", "through", "by way of")
AVOID_WORDS = ("avoid", "avoiding", "evade", "evading")
NO_WORDS = ("no", "without", "do not", "don't", "dont", "never", "not to")  # before a word for a battle
GOAL_WORDS = (
    "hold", "stay", "halt", "wait", "rest", "defend", "dig in", "attack", "fight", "take", "capture",
    "occupy", "secure", "seize",
)  # at the end of a march  # fmt: skip
SIMILAR = 0.7  # how similar a misspelt verb must be, for difflib
NEAR_VERB = 0.75  # the same for the first word of a text that need not be an order
GAP = r"(?<![\s,])[\s,]"  # spaces and commas from the first one on, so that a search takes linear time
BATTLE_WORDS = ("battle", "battles", "combat", "contact", "fight", "fighting", "enemy", "enemies")


def one_of(words: Iterable[str]) -> str:
    """Return a pattern for one of these words or phrases.

    >>> re.fullmatch(one_of(["go", "go with"]), "go  with") is not None
    True
    """
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(word.replace(" ", r"\s+") for word in longest_first) + ")"


def forms_of(phrases: Iterable[str]) -> list[str]:
    """Return each phrase as a command, in the third person, and with -ing.

    >>> forms_of(["march", "move", "go with"])
    ['march', 'marches', 'marching', 'move', 'moves', 'moving', 'go with', 'goes with', 'going with']
    >>> forms_of(["run", "occupy"])
    ['run', 'runs', 'running', 'occupy', 'occupies', 'occupying']
    """
    forms = []
    for phrase in phrases:
        verb, *rest = phrase.split()
        person = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"
        person = re.sub(r"([^aeiou])ys$", r"\1ies", person)
        stem = verb if verb.endswith("ee") else verb.removesuffix("e")
        stem += stem[-1] if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) else ""  # in "running"
        forms += [" ".join([form, *rest]) for form in (verb, person, f"{stem}ing")]
    return forms


ORDER_WORDS = (*HOLD_WORDS, "march", "move", "go", "advance", "ride", "join", "follow", "attack")
BACK_WORDS = ("return", "retreat", "withdraw", "fall back")  # with "to", they begin an order
HELPER = (
    r"(?:(?:(?:has|have|needs?|(?:is|are)\s+going)(?=\s+to\b)"
    r"|(?:continues?|carr(?:y|ies)\s+on)(?=\s+(?:to\b|\w+ing\b))|keeps?(?:\s+on)?(?=\s+\w+ing\b)"
    r"|will|shall|should|must|is|are)\s+(?:to\s+)?)"
)  # in "will march", "is to hold", "continues to York", "keeps marching"
VERB_FORMS = frozenset(form.split()[0] for form in forms_of((*HOLD_WORDS, *JOIN_VERBS, *MARCH_WORDS)))
PREPOSITIONS = frozenset(("at", "from", "in", "into", "near", "to", "towards", "via"))  # before a place
ACTING = VERB_FORMS | {"shall", "should", "must", "will", "would", "stop", "stops"}  # behind a force
# words that are not the beginning of a force's name, and not misspelt verbs
COMMON_WORDS = frozenset((
    "all", "and", "are", "best", "black", "but", "can", "did", "for", "gone", "good", "got", "had",
    "has", "have", "hello", "here", "his", "hope", "how", "love", "more", "not", "now", "one",
    "other", "others", "our", "out", "over", "see", "she", "that", "them", "then", "there", "they",
    "this", "turn",
    "want", "wants", "was", "well", "what", "when", "where", "who", "why", "will", "with", "would",
    "you", "your", "yours",
))  # fmt: skip
# first words of a line such as `welcome to york` or `subject: york`, which cannot name a force
NO_FORCE = COMMON_WORDS | frozenset((
    "access", "as", "back", "dear", "from", "greetings", "he", "how", "i", "if", "in", "is", "it", "map",
    "my", "next", "no", "off", "on", "road", "roads", "subject", "thank", "thanks", "then", "to", "way", "we",
    "welcome", "yes",
))  # fmt: skip
ARROW = r".*(->|=>|\u2192)"
BEGINS = re.compile(
    rf"(?:{one_of((*ORDER_WORDS, 'to'))}|(?:{one_of(BACK_WORDS)}|back)\s+to)\b|{ARROW}", re.IGNORECASE
)  # a command
BEGINS_IN_ANY_FORM = re.compile(
    rf"{HELPER}?(?:{one_of((*forms_of(ORDER_WORDS), 'to'))}"
    rf"|(?:{one_of(forms_of(BACK_WORDS))}|back)\s+to)\b|{ARROW}",
    re.IGNORECASE,
)  # any form of the verb
EVERYDAY_WORDS = (*STAY_WORDS, *GUARD_WORDS, *TAKE_WORDS, *GO_WORDS)
HELPING = re.compile(
    rf"{HELPER}(?={one_of((*sorted(VERB_FORMS), *forms_of(EVERYDAY_WORDS), 'to'))}\b)", re.IGNORECASE
)
GOAL = re.compile(
    rf"(?<![\s,])(?:\s*,|\s+and|\s+then)+\s+{one_of(forms_of(GOAL_WORDS))}"
    r"(?:\s+(?:there|it|them|(?:the\s+|any\s+)?enem(?:y|ies)))?$",
    re.IGNORECASE,
)  # in "march to york and attack"
HOLDING_GOAL = re.compile(
    rf"(?<![\s,])(?:\s*,|\s+and|\s+then)+\s+{one_of(forms_of(HOLD_WORDS))}\s+(?P<place>[^,.!?;:]+)$",
    re.IGNORECASE,
)  # in "march to bell bridge and hold the bridge"
IF_POSSIBLE = (
    r"(?:if\s+(?:at\s+all\s+)?poss(?:ible)?\b"
    r"|(?:if|where|when|wherever|whenever)\s+(?:you|they|we)\s+can(?:\s+help\s+it|\s+avoid\s+it)?"
    r"|if\s+it\s+can\s+be\s+(?:helped|avoided)|(?:where|wherever)\s+possible)"
)  # behind "avoid battle", which says the same
AVOID = re.compile(
    rf"{GAP}*\b(?:and\s+|but\s+)?(?:please\s+)?"
    rf"(?:(?:(?:try|trying)\s+to\s+)?{one_of(forms_of(AVOID_WORDS))}"
    rf"(?:\s+(?:a\s+|any\s+|all\s+|the\s+)?{one_of(BATTLE_WORDS)})?"
    rf"|(?:(?:try|trying)\s+)?{one_of(NO_WORDS)}\s+(?:(?:get\s+into|risk|seek)\s+)?(?:a\s+|any\s+)?"
    rf"{one_of(BATTLE_WORDS)})(?:[\s,]+{IF_POSSIBLE})?\s*$",
    re.IGNORECASE,
)
HOLDING = re.compile(
    rf"{one_of(forms_of(HOLD_WORDS))}\b(?:\s+{one_of(HERE_WORDS)}\b)?(?:\s+{one_of(AT_WORDS)}\s+(?P<place>.+))?",
    re.IGNORECASE,
)
HOLD_BEGINS = re.compile(rf"{one_of(forms_of((*HOLD_WORDS, *STAY_WORDS)))}\b", re.IGNORECASE)
HOLDING_TWICE = re.compile(
    rf"{one_of(forms_of((*HOLD_WORDS, *STAY_WORDS)))}\b(?:\s+{one_of(HERE_WORDS)}\b)?"
    rf"\s*(?:,|,?\s+and)\s+(?:then\s+)?(?={one_of(forms_of((*HOLD_WORDS, *STAY_WORDS, *GUARD_WORDS)))}\b)",
    re.IGNORECASE,
)  # in "stay here and defend york"
HOLDING_IT = re.compile(
    rf"(?:,|\s+and|\s+then)(?:\s+and|\s+then)*\s+{one_of(forms_of((*HOLD_WORDS, *STAY_WORDS, 'guard')))}"
    r"(?:\s+(?:it|there|here|them))?$",
    re.IGNORECASE,
)  # behind an order to hold, as in "stay at york and defend it"
HOLDING_AND = re.compile(rf"{one_of(forms_of(HOLD_WORDS))}(?=\s+and\b)", re.IGNORECASE)
HOLDING_PLACE = re.compile(rf"{one_of(forms_of(HOLD_WORDS))}\s+(?P<place>.+)", re.IGNORECASE)
STAYING = re.compile(
    rf"(?:{one_of(forms_of(STAY_WORDS))}\b(?:\s+{one_of(HERE_WORDS)}\b)?"
    rf"(?:\s+{one_of(AT_WORDS)}\s+(?P<at>.+))?|{one_of(forms_of(GUARD_WORDS))}\s+(?P<place>.+))",
    re.IGNORECASE,
)  # in "sit tight in york" and "guard york"
TAKING = re.compile(
    rf"(?:(?:{one_of(forms_of(('go', 'march', 'move', 'ride', 'advance')))}\s+(?:and\s+)?)?"
    rf"{one_of(forms_of(TAKE_WORDS))}|{one_of(forms_of(GO_WORDS))}\s+(?:{one_of(DIRECTIONS)}\s+)*to)"
    r"\s+(?P<place>.+)",
    re.IGNORECASE,
)  # in "go and take york" and "come over to york"
AT_PLACE = re.compile(r"\s+(?:at|in|near)\s+", re.IGNORECASE)  # in "attack the pikes at york"
ATTACKING = re.compile(rf"{one_of(forms_of(('attack',)))}\b", re.IGNORECASE)
FIGHT_WORDS = (
    "attack", "fight", "assault", "charge", "storm", "strike", "engage", "destroy", "crush", "kill", "beat",
    "defeat", "smash", "rout", "drive", "surprise", "ambush",
)  # fmt: skip
EVERYDAY_VERBS = frozenset(
    form.split()[0] for form in forms_of((*STAY_WORDS, *TAKE_WORDS, *AVOID_WORDS, *FIGHT_WORDS))
)  # words that are not the misspelt name of a force
FIGHTING = re.compile(
    rf"\b(?:{one_of(forms_of(FIGHT_WORDS))}|against|{one_of(forms_of(MARCH_WORDS))}\s+on)\b", re.IGNORECASE
)  # in an order that can be meant as an attack
JOINING = re.compile(
    rf"{one_of((*forms_of(JOIN_VERBS), *JOIN_WORDS))}(?:\s+with)?\s+(?P<force>.+)", re.IGNORECASE
)
FOLLOWING = re.compile(
    rf"(?:{one_of((*forms_of(JOIN_VERBS), *JOIN_WORDS))}(?:\s+with)?\s+(?:them|him|her|it)"
    rf"|{one_of(forms_of(('follow', 'go along', 'come along', 'tag along')))})(?:\s+there)?",
    re.IGNORECASE,
)  # the force on the line above, as in "go with them"
MARCHING = re.compile(
    rf"(?:{one_of(forms_of(MARCH_WORDS))}\b\s*)?(?:back\b\s*)?(?:(?:{one_of(DIRECTIONS)}\s+)+(?=to\b))?"
    rf"(?:{one_of(TO_WORDS)}\b\s*)?(?P<place>.+)",
    re.IGNORECASE,
)
RETREATING = re.compile(
    rf"{one_of(forms_of(('retreat', 'withdraw', 'fall back', 'pull back', 'go back', 'flee')))}\b\s*",
    re.IGNORECASE,
)
FLEEING = re.compile(
    r"\b(?:(?:run|get|slip|move|march|go)(?:s|es)?\s+away|flees?|withdraws?|retreats?|falls?\s+back|pulls?\s+back"
    rf"|{one_of((*AVOID_WORDS, *NO_WORDS))}\s+(?:(?:a|any|the)\s+)?{one_of(BATTLE_WORDS)})\b",
    re.IGNORECASE,
)  # in an order with a condition
EXCLAMATION = re.compile(
    r"\W*hold\s+on\W*(?:!|\.\.|\u2026)\W*", re.IGNORECASE
)  # in a line of its own, which is no order to hold
CHOSEN_PLACE = re.compile(
    r"(?:(?:aye|yes|yeah|yep|ok|okay|fine|well|right|alright|so|oh|ah|alas|sigh|gr+|a+rgh+|hm+|then)\b[\s,.!]*)*"
    r"(?:i\s+(?:choose|pick)\s+)?(?:to\s+)?(?P<place>.+?)"
    r"(?:[\s,]+(?:then|again|now|once\s+more|it\s+(?:is|shall\s+be|must\s+be)|i\s+(?:guess|suppose)))*",
    re.IGNORECASE,
)  # in "GRR the causeway then" and "Castle Rook it is", where a beaten force retreats
REFUSING = frozenset(
    (
        *forms_of((*HOLD_WORDS, "sit", "remain")),
        "die",
        "dies",
        "fight",
        "never",
        "no",
        "not",
        "nowhere",
        "cannot",
        "don",
        "dont",
        "won",
        "wont",
    )
)  # words of a player who does not want to retreat
THEN = re.compile(r"(?:and\s+)?then\s+", re.IGNORECASE)  # in "boyd: then back to york"
SUBJECT = re.compile(r"(?:we|i|they|it)(?:'ll)?\s+", re.IGNORECASE)  # in "we fall back to york"
THEY_CAN = re.compile(
    rf"{SUBJECT.pattern}(?:(?:can|may)\s+)?", re.IGNORECASE
)  # behind a force, as in "boyd: they can join percy"
WE_HOLD = tuple(word for word in HOLD_WORDS if word != "wait")  # `we wait` can be about the umpire's answer
WE_ALL = re.compile(
    rf"(?P<begin>^|[.!?]\s+)(?:(?:so|then|and|but)\s+)?(?:"
    rf"we(?:['\u2019]ll|\s+(?:will|shall))?\s+(?P<every>all|both)\s+(?={BEGINS_IN_ANY_FORM.pattern})"
    rf"|we(?:['\u2019]ll|\s+(?:will|shall))?\s+(?={one_of(WE_HOLD)}(?:\s+{one_of(HERE_WORDS)})?[\s.,!]*(?:$|[.,!]\s)))",
    re.IGNORECASE,
)  # before an order for all forces, as in "then we all march to york" and "we hold"
RETREAT_SENTENCE = re.compile(
    rf"(?:{SUBJECT.pattern})?(?:{HELPER})?"
    rf"(?P<order>(?:{one_of(forms_of((*BACK_WORDS, 'pull back', 'flee', 'go back')))}|back)"
    rf"\s+(?:home\s+)?{one_of(TO_WORDS)}\s+.+)",
    re.IGNORECASE,
)  # in "we fall back to york", without the name of a force
SAME = re.compile(
    r"(?:do(?:es)?\s+)?(?:the\s+)?same(?:\s+orders?)?"
    r"(?:\s+as\s+(?:the\s+(?:(?:order|one)\s+)?)?above|\s+(?:as|like)\s+(?:for\s+)?(?P<force>.+))?"
    r"|ditto|likewise|as\s+above|as\s+well|too|also",
    re.IGNORECASE,
)  # the order of the line above, or of another force
REST = (
    r"(?:(?:all|everything|every(?:one|body)|nothing)\s+else"
    r"|(?:all\s+)?(?:(?:of\s+)?(?:the|my|our)\s+)?(?:rest|others?|other\s+(?:orders?|forces?|ones?|units?|men|troops)"
    r"|(?:earlier|previous|first|old|remaining)\s+(?:orders?|ones?))(?:\s+of\s+(?:it|them|(?:the|my|our)\s+\w+))?)"
)
AS_IT_WAS = (
    r"(?:as\s+(?:(?:it|they|that)\s+(?:was|were|is|are|stands?)|(?:i|we)\s+(?:wrote|ordered|said|told\s+you)|ordered|planned|written"
    r"|(?:in|of)\s+(?:my|the)\s+(?:first|last|earlier|previous|other)\s+(?:e-?mail|mail|message|letter|orders?|one)|before|is|was)"
    r"|the\s+same(?:\s+as\s+before)?|unchanged|valid|in\s+force|untouched)"
)
UNCHANGED = re.compile(
    r"(?:^|(?<=[.!?;,])\s+)(?:(?:and|but|so|otherwise)[\s,]+)*(?:please\s+)?(?:"
    rf"{REST}\s*[:,]?\s+(?:(?:should|can|shall|will|may|must)\s+)?(?:(?:all|please|just|still)\s+)?"
    r"(?:stays?|remains?|is|are|stands?|be|keeps?)\s+(?:(?:all|just|still|exactly|of\s+course)\s+)*"
    rf"{AS_IT_WAS}|(?:keep|leave)\s+{REST}\s+(?:just\s+|exactly\s+)?{AS_IT_WAS}|{REST}\s*[:,]?\s+unchanged"
    r"|(?:otherwise[\s,]+|there\s+(?:is|are)\s+)?(?:no\s+(?:other|further|more)\s+changes?|nothing\s+else\s+(?:changes?|is\s+changed))"
    r"|otherwise[\s,]+no(?:\s+changes?|thing\s+(?:changes?|is\s+changed)))"
    r"(?=\s*(?:$|[.!;,]))[.!;,]*",
    re.IGNORECASE,
)  # in "the rest stays as it was", which leaves the orders of an earlier mail
GOING_ON = re.compile(
    r"(?:go(?:es)?\s+on|carr(?:y|ies)\s+on|continues?|keeps?\s+(?:going|marching|moving))"
    r"(?:(?:\s+with)?(?:\s+(?:the|its|their))?\s+march(?:ing)?)?",
    re.IGNORECASE,
)  # the unfinished march of a force
BEFORE = re.compile(
    r"(?:(?:the\s+)?same(?:\s+orders?)?\s+)?(?:as|like)\s+(?:before|always|usual|ever"
    r"|(?:(?:the|in\s+the|in)\s+)?(?:last|previous)\s+(?:order|round|time|turn)s?)"
    rf"|{GOING_ON.pattern}(?:\s*:.*)?",
    re.IGNORECASE,
)  # the order of an earlier turn, or "goes on: York -> Ford" in the words of a message
ALSO = re.compile(
    rf"{GAP}+(?:too|also|again|instead|together|as\s+well|of\s+course|then|this\s+turn|for\s+(?:now|the\s+moment|the\s+time\s+being)"
    r"|(?:until|till)\s+(?:(?:further|new|other)\s+(?:notice|orders?|instructions?|word)"
    r"|(?:i|we)\s+(?:say|tell\s+you)\s+otherwise|you\s+hear\s+from\s+(?:me|us)))$",
    re.IGNORECASE,
)  # at the end of an order, without effect
TO_THE_LAST = re.compile(
    rf"{GAP}+(?:and\s+)?(?:then\s+)?fight\s+to\s+the\s+(?:last(?:\s+man)?|bitter\s+end|death)$", re.IGNORECASE
)  # at the end of an order that does not avoid battle, without effect
BEHIND_HOLDING = re.compile(
    r"\s+(?=(?:and|until|till|to\s+the|at\s+all|at\s+any|against|with|as|since|so)\b)",
    re.IGNORECASE,
)  # before a remark, as in "hold to the last man"
UNTIL = re.compile(r"\b(?:until|till)\s+", re.IGNORECASE)  # in "hold till the fleet is in"
HOME = re.compile(r"(?:back\s+)?home", re.IGNORECASE)  # in "go home", which names no place
DIRECTION_TO = re.compile(rf"(?:{one_of(DIRECTIONS)}\s+)+to\b", re.IGNORECASE)  # in "pikes home to york"
VIA = re.compile(rf"\s+{one_of(VIA_WORDS)}\s+", re.IGNORECASE)
VERB = re.compile(rf"^(?:{one_of(forms_of(MARCH_WORDS))}\s+)?(?:(?:from|to)\s+)?", re.IGNORECASE)

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

OTHER_TURN = re.compile(
    r"(?:^|(?<=[.!?])\s+)(?=(?:(?:and|but|then|for|in)\s+)*(?:(?:the|my|our)\s+)?"
    r"(?:next\s+turn|turn\s+(?P<number>\d{1,4}))\b\W*\w)",
    re.IGNORECASE,
)  # before a sentence such as "Next turn: Percy holds." and "In turn 2 Percy holds."

NUMBER_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"
)  # fmt: skip
LARGE_NUMBERS = (
    "dozen", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    "thirty", "forty", "fifty", "hundred",
)  # fmt: skip
TROOPS = frozenset((
    "man", "men", "recruit", "recruits", "soldier", "soldiers", "strength", "troop", "troops", "fighters",
    "bodies",
))  # words for what a sum buys, which can be in the name of a force  # fmt: skip
TROOP = one_of(sorted(TROOPS))
CURRENCY = r"(?:crowns?|ducats?|florins?|guineas?|pounds?|shillings?|dollars?|thalers?)"
SOME = rf"\b(?:(?:another\s+)?(?:\d+|{one_of((*NUMBER_WORDS, *LARGE_NUMBERS))})|another)\s+"
MORE = r"(?:(?:more|new|extra|fresh|further|additional)\s+)?"
MONEY = re.compile(rf"\b(?:coins?|gold|silver|money|purse)\b|{SOME}{CURRENCY}\b", re.IGNORECASE)
AMOUNT = re.compile(rf"{SOME}{MORE}(?:{TROOP}|{CURRENCY}|coins?|gold|silver)\b", re.IGNORECASE)
PURCHASE = re.compile(
    rf"{SOME}{MORE}{TROOP}\s*(?:\([^()]*\)\s*)?\b(?:for|to)\s+(?P<receiver>(?:\w+\s*){{1,3}})",
    re.IGNORECASE,
)  # in "three soldiers (9 crowns) for the pikes", which has no verb
NUMBER_OF = re.compile(
    rf"(?<![-\w])(?<!hundred )(?<!hundred and )(?P<number>{one_of(NUMBER_WORDS)}|another)"
    rf"(?=\s+(?:{MORE}(?:{TROOP}|{CURRENCY}|coins?|gold|silver)|more\s+(?:for|in|into))\b)",
    re.IGNORECASE,
)  # a small number of soldiers or money in words

# in an order to hire soldiers, if the campaign has a price for them
HIRED_NUMBER = rf"(?P<number>\d{{1,4}}|none|nobody|{one_of(NUMBER_WORDS)})"
HIRE_VERB = rf"(?:{HELPER}?(?:to\s+)?{one_of(forms_of(('hire', 'recruit', 'buy')))})"
WITHOUT_VERB = rf"(?=(?:\d+|{one_of(NUMBER_WORDS)})\s+{MORE}{TROOP}\b)"  # in "3 soldiers"
PRICE_NAMED = (
    rf"(?:[\s,]*(?:\(\s*(?:for\s+|costs?\s+)?(?P<sum>\d+|{one_of(NUMBER_WORDS)})(?:\s+[a-z]+){{0,3}}\s*(?:\)|$)"
    rf"|for\s+(?P<price>\d+|{one_of(NUMBER_WORDS)})\s+(?:{CURRENCY}|coins?|gold|silver|money)\b))?"
)
NO_HIRING = (
    rf"(?:no|without)\s+(?:(?:any|new|more|extra)\s+)*(?:hir(?:e|es|ing)|recruit(?:s|ing|ment)?|{TROOP})"
)
POLITE = r"(?:[\s,]+(?:please|pls|plz|thanks|thank\s+you))?"
HIRED = rf"(?:{HIRE_VERB}\s+|{WITHOUT_VERB}){HIRED_NUMBER}\b(?:\s+(?:{MORE}{TROOP}|more)\b)?"
HIRING_SOLDIERS = re.compile(HIRED, re.IGNORECASE)  # in a campaign without a price, too
HIRED_FOR = HIRED.replace("?P<number>", "?:") + PRICE_NAMED.replace("?P<sum>", "?:").replace(
    "?P<price>", "?:"
)
HIRED_FOR += rf"\s+(?:for|to|into)\s+(?!\d|{one_of(NUMBER_WORDS)}\b)"
REQUEST_BEGINS = re.compile(
    rf"{SENTENCE_END.pattern}|(?<=[,;])\s+(?=(?:(?:and|please|pls|plz)\s+)*{AMOUNT.pattern})"
    r"|\s+(?=and\s+(?:i|we)(?:['\u2019]d)?\s)"
    rf"|\s+(?<!\band\s)(?=(?:(?:and|then|please|pls|plz)\s+)+{HIRED_FOR})|(?<=[,;])\s+(?={HIRED_FOR})",
    re.IGNORECASE,
)  # before a sentence, or as in "hold, three soldiers for the pikes" and "hold, and hire 3 for the pikes"
JOINT_SUBJECT = re.compile(
    r"(?:^|(?<=[.!?]\s))\W*(?:the\s+)?(?P<name>\w+)\s+(?=and\s+(?:i|we)\b)", re.IGNORECASE
)  # in "Ben and I agree"
HIRING = re.compile(
    rf"(?P<begin>^(?:(?:please|pls|plz)\s+)?|\s*[,;.&+]\s*(?:(?:and|but|then|also)\s+)*"
    rf"|\s+(?:(?:and|but)\s+)?(?:then\s+|also\s+)?)(?:{HIRED}|{NO_HIRING}){POLITE}{PRICE_NAMED}{POLITE}(?:\s+(?:there|here))?(?=\s*$|\s*[,;.!&+]|\s+(?:and|then)\b)",
    re.IGNORECASE,
)  # in "march to york, hire 3"
WISH = (
    r"(?:(?:please|pls|plz|also|and|then|now|we|i|we['\u2019]d|i['\u2019]d|will|shall|want|wish|would|like|to)"
    r"[\s,]+)*"
)
HIRING_FOR = re.compile(
    rf"\W*{WISH}{HIRED}{PRICE_NAMED}\s+(?:for|to|into)\s+(?:(?:our|my)\s+)?(?P<force>[^\d.,:;!?()]+?)"
    rf"{POLITE}{PRICE_NAMED.replace('sum', 'sum2').replace('price', 'price2')}{POLITE}[\s.!]*",
    re.IGNORECASE,
)  # in "please buy three men for the pikes (9 crowns)"
MORE_HIRED = re.compile(
    rf"\s*(?:,|,?\s+and|,?\s+plus|\s&)\s+(?:{HIRE_VERB}\s+)?(?={HIRED_NUMBER.replace('?P<number>', '?:')}\s+"
    rf"(?:{MORE}{TROOP}\s+|more\s+)?(?:for|to|into)\s+\D)",
    re.IGNORECASE,
)  # in "hire 2 for the pikes and 1 for the bows"
HIRING_BY = re.compile(
    rf"\W*(?P<force>[^\d.,:;!?()]+?)(?:\s*[-\u2013\u2014=]+\s*|\s+)(?P<order>{HIRE_VERB}\s+.+)", re.IGNORECASE
)  # in "the pikes hire 3"

# in a line that asks the umpire for something other than an order to move
SPENDING = re.compile(
    rf"\b{one_of(('spend', 'purse', 'buy', 'pay', 'hire', 'recruit', 'reinforce', 'refit'))}\b"
    r"|(?<!the )(?<!a )(?<!my )\btrain\b",
    re.IGNORECASE,
)
OTHER_PAYER = re.compile(
    r"\b(?:her|his|their|its|your)\b|\b\w+(?:['\u2019]s|s['\u2019])\s+(?:own\s+)?(?:purse|money|coins?|gold)\b"
    r"|\bfrom\s+(?!(?:our|my|the|now|here)\b)\w+",
    re.IGNORECASE,
)  # in a line that may ask for the money of another player
GIVING_WORDS = ("pay", "give", "lend", "loan", "send", "transfer")
PAYING = re.compile(
    rf"\b{one_of(GIVING_WORDS)}\s+(?!(?:the|an?|my|our|for|up|out|off|only|some|about|all)\b|\d)"
    r"(?P<receiver>\w+)",
    re.IGNORECASE,
)
RECEIVING = re.compile(
    rf"\b{one_of(forms_of(GIVING_WORDS))}\s+(?:the\s+)?(?P<first>\w+)"
    r"|\bto\s+(?:the\s+)?(?P<second>\w+)",
    re.IGNORECASE,
)  # the words behind which the receiver of a sum can stand
PAYING_TO = re.compile(
    rf"\b{one_of(GIVING_WORDS)}\b.*\bto\s+(?:(?:the|our|my)\s+)?"
    r"(?!(?:buy|hire|recruit|train|refit|reinforce|raise|strengthen)\b)(?P<receiver>\w+)",
    re.IGNORECASE,
)
SELLING = re.compile(r"\bfor\s+(?:\w+\s+){0,2}?\d", re.IGNORECASE)  # the receiver pays a sum
PRICE = re.compile(
    r"\bfor\s+(?:(?:about|only|just|some)\s+)?(?:\d+\s+(?:pieces\s+of\s+)?)?(?:coins?|gold|silver|money)\b"
    r"|\b\d+\s+(?:\w+\s+)?for\s+(?-i:[A-Z])",
    re.IGNORECASE,
)  # of a prisoner, as in "Rowe for 6 gold" and "6 gold for Rowe"
BUYING = re.compile(
    r"\b(?:buy|hire|recruit|train|get|want|need|reinforce\b.*\bby)\s+(?:(?!(?:for|spend|pay|offer)\b)\w+\s+){0,2}?\d+\b"
    rf"(?!\s+(?:worth\b|{CURRENCY}|coins?|gold|silver|money|of\s+(?:our|my|the)\s+(?:purse|coins?|gold|silver|money)))"
    rf"|\+\s?\d+|\d+\s+{MORE}{TROOP}\b"
    r"|(?<!spend )(?<!pay )(?<!offer )\b\d+\s+more\s+(?:for|in|into)\b",
    re.IGNORECASE,
)  # a number that is strength, and not its cost
GIVING = re.compile(rf"\b{one_of(forms_of(GIVING_WORDS))}\b", re.IGNORECASE)  # money, to a faction
BARE_SUM = re.compile(r"(?:^|[.!?]\s)\W*(?:(?:please|pls|plz)\W+)?\d+\s+on\s", re.IGNORECASE)
TIME = r"(?:hours?|days?|weeks?|turns?|rounds?)"
OFFERING = re.compile(
    rf"\b(?:pay(?:s|ing)?|paid|offer(?:s|ing)?|spend(?:s|ing)?)\s+(?:\w+\s+){{0,3}}?\d+\b(?!\s+{TIME}\b)",
    re.IGNORECASE,
)  # a sum
CAPTIVES = r"(?:prisoners?|captives?|hostages?)"
RELEASING = re.compile(
    r"\b(?:releas(?:e[sd]?|ing)|ransom\w*|parol\w+|freed|freeing)\b"
    rf"|(?:^\W*|\b(?:we|i|to|will|shall|please|and)\s+)frees?\s+(?:(?:the|our|your)\s+{CAPTIVES}|(?-i:[A-Z]))"
    r"|\b(?:set|sets|setting|go|goes|let|lets)\s+(?:\w+\s+){0,4}free\b"
    r"|\b(?:hand|give)s?\s+(?:(?:over|back)|(?:\w+\s+){1,4}(?:over|back))\b"
    rf"|\b(?:exchang|swap|trad|return|giv|hand|sell|send)\w*\s+(?:\w+\W+){{0,5}}?{CAPTIVES}\b"
    r"|\b(?:exchange|swap|trade)s?\s+(?:\w+\s+){1,4}(?:for|against)\b"
    r"|\b(?:exchange|swap|trade)s?\s+the\s+(?:leader|commander)\s+of\b"
    rf"|\b{CAPTIVES}\s+(?:\w+\s+){{0,6}}?(?:go|goes|home|back)\b"
    r"|\b(?:have|get)s?\s+(?:(?:him|her)\s+(?:back\b|for\s+\d)|(?:\w+\s+){1,4}?back\s+for\s+\d)"
    rf"|(?<!\bat )(?<!\bturn )\b\d+\s+(?!{TIME}\b|{TROOP}\b)(?:\w+\s+)?for\s+(?-i:[A-Z])",
    re.IGNORECASE,
)  # in a line that releases a prisoner, or agrees on a ransom
LETTING_GO = re.compile(
    r"\blets?\s+(?!us\b)(?:\w+\s+){1,4}go(?:\s+home)?(?=\W*$|[.,!?;])"
    r"|\breturns?\s+(?:(?:the|our|your)\s+)?(?-i:[A-Z])",
    re.IGNORECASE,
)  # in a line that releases a prisoner, unless it names a force of the sender, which can be meant to march
MAY_GO = re.compile(
    r"\b(?:may|can)\s+(?:\w+\s+)?(?:go|leave|return)\b|\b(?:is|are)\s+(?:\w+\s+)?free\b", re.IGNORECASE
)  # in a line that releases a prisoner, if it names a prisoner of the sender
GIVING_BACK = re.compile(r"\b(?:giv|hand|ced|return|get)\w*\b", re.IGNORECASE)  # a place, or a prisoner
CAPTIVE = re.compile(rf"\b(?:{CAPTIVES}|leaders?|commanders?|him|her|free)\b", re.IGNORECASE)
EXCHANGING = re.compile(r"\b(?:exchang|swap|trad)\w*|\bagainst\b", re.IGNORECASE)  # one prisoner for another
OUR_CAPTIVE = re.compile(
    r"\b(?:the|our|my)\s+(?:only\s+)?(?:prisoner|captive|hostage)\b|\bransom\s+(?:is\s+)?(?:accepted|agreed)\b",
    re.IGNORECASE,
)  # the only prisoner of a faction
PEACE = re.compile(
    r"\b(?:truces?|armistice|cease-?fire|alliances?|ally|allied|waffenstillst[a\u00e4]nd\w*|b\u00fcndnis\w*"
    r"|verb\u00fcndet\w*|(?<!in )peace(?!\s+(?:of\s+mind|be|and\s+quiet)\b)|(?<!in )(?<!im )frieden\w*)\b",
    re.IGNORECASE,
)
PEACE_GREETING = re.compile(r"\W*(?:peace|frieden)\W*(?:\w+\W*)?", re.IGNORECASE)  # "Peace, Barty"
AGAINST_PEACE = re.compile(
    r"\b(?:reject|declin|break|broke|cancel|end)\w*|\b(?:over|war|against|gegen|kein\w*|nicht|nie)\b",
    re.IGNORECASE,
)  # in a line about peace that can mean the opposite
UNTIL_END = re.compile(
    r"\b(?:until|till)\s+(?:the\s+)?(?:very\s+|bitter\s+)?end\b(?!\s+of\s+turn)(?:\s+of\s+(?:the|this|our)\s+war\b)?",
    re.IGNORECASE,
)  # of a peace, which it does not end
PEACE_ENDS = re.compile(
    r"\b(?:until|till|through|to|(?:which\s+|it\s+)?(?:ends?|ending|lasts?|lasting|expires?)\s+(?:in|on|at|with|after|until|till|to))\s+"
    r"(?:the\s+)?(?P<end>end\s+of\s+)?(?:(?:start|beginning)\s+of\s+)?turn\s+(?P<turn>\d{1,4})\b"
    rf"|\bfor\s+(?:the\s+next\s+)?(?P<count>\d{{1,2}}|{one_of(NUMBER_WORDS)})\s+turns?\b",
    re.IGNORECASE,
)  # when a peace ends, as in "a truce until turn 4"
PROPOSING = re.compile(
    r"\b(?:offer|propos|suggest)\w*", re.IGNORECASE
)  # money or a prisoner to another player
PARTNER = re.compile(
    r"\b(?:with|to)\s+(?:(?:the|our|my)\W+)?(?P<partner>[^\W_]+)", re.IGNORECASE
)  # in a line about peace
FOR_FREE = re.compile(
    rf"{GAP}*\bwithout\s+(?:(?:an?|any|the|his|her|their)\s+)?(?:\w+\s+of\s+)?"
    r"(?:ransom|payment|money|charge|exchange)\b",
    re.IGNORECASE,
)  # in a line that releases a prisoner
NEGATED = re.compile(
    r"(?<!why )\b(?:not|never|no|no\s*body|nothing|none|nor|neither|without|refuse\w*|cannot)\b"
    r"|(?<!why do)n['\u2019]t\b|\b[dw]ont\b",
    re.IGNORECASE,
)  # in a line that can say what a player does not want
NO_ANSWER = re.compile(
    r"\W*(?:(?:oh|ha|sorry|hm+|well|certainly|absolutely|definitely|rather|i\s+think)\W+)*"
    r"(?:no|not|never|nope|nah|no\s+way)"
    r"(?:\W+(?:way|chance|thanks|thank|you|today|tonight|now|yet|ever|again|really|sorry|please|sir|madam|at|all|any|more"
    r"|longer|in|a|hundred|thousand|million|years?|my|life|lifetime|this|turn|week|time|for|with|me|us|him|her|them))*\W*",
    re.IGNORECASE,
)  # a whole sentence, behind a question such as "Peace with Blue?"
DECLINING = re.compile(
    r"\W*(?:(?:no|sorry|but|so)\W+)*(?:we|i)\s+(?:must\s+)?(?:decline|refuse|reject)(?:\s+(?:it|this|that))?\W*",
    re.IGNORECASE,
)  # a whole sentence, behind a question or an offer
AGREEING = re.compile(
    r"\W*(?:yes|yeah|ok|okay|fine|all\s+right|alright|agreed|oh|well|actually|just\s+kidding|but)\b",
    re.IGNORECASE,
)  # at the beginning of a sentence behind a refusal, which it can change
# sentences of the program's messages and reports, which mails quote
PRISONERS_EXCHANGED = (
    "Prisoners are exchanged one for one after the battles of a turn, without an order. To release one "
    "without an exchange, write to the umpire"
)
PRISONERS_EXCHANGED_REPORT = (
    "Prisoners are exchanged one for one after the battles of a turn; to release one without an exchange, "
    "write to the umpire"
)
PRISONERS_BY_AGREEMENT = "To release or exchange a prisoner, write to the umpire"
ABOUT_PRISONERS = (PRISONERS_EXCHANGED, PRISONERS_EXCHANGED_REPORT, PRISONERS_BY_AGREEMENT)
NO_AFTER_ALL = r"\bactually,?\s+no(?=\W*$|[,.;!:]|\s+-)"
CORRECTING = re.compile(
    r"\b(?:instead|rather|correct(?:ion|ed|ing)?|chang(?:ed?|es|ing)|second\s+thoughts?|after\s+all|cancel|ignore"
    rf"|forget|scrap|mistakes?|wrong|do\s+not|don['\u2019]?t)\b|{NO_AFTER_ALL}",
    re.IGNORECASE,
)  # in a line that may correct an order
UNSURE = r"(?:sure|certain|decided|final)"
UNDECIDED = re.compile(
    rf"\bundecided\b|\bnot\s+(?:quite\s+)?{UNSURE}\s+yet\b|\bnot\s+yet\s+{UNSURE}\b"
    r"|\b(?:i|we)(?:['\u2019]ll|\s+(?:will|shall))\s+(?:still\s+)?decide"
    r"(?=\s+(?:later|soon|then|tonight|tomorrow|on|by)\b|\s*[.!,;]|\s*$)",
    re.IGNORECASE,
)  # in a line of a player who can still change an order
KEEPING = re.compile(
    r"\bkeep(?:s|ing)?\b(?!\s+(?:an\s+eye|up|in\s+touch|me|us|your?|the\s+home)\b)[^.!?;:]{0,80}"
    r"\b(?:home|here|there|back|put|still|in\s+(?:place|position)|where\s+(?:it|they|he|she)\b)"
    rf"|{NO_AFTER_ALL}",
    re.IGNORECASE,
)  # the same without a verb of an order, as in "actually no, keep the pikes home"
CANCELLING = re.compile(
    r"\b(?:forget|ignore|cancel|scrap|disregard)\s+(?:all\b|every|it\b|that\b|this\b|these\b|those\b"
    r"|(?:my|the|our|what)\s)|\bchang(?:ed?|ing)\s+(?:my|our)\s+minds?\b"
    r"|\b(?:just|only|was|am|i['\u2019]?m)\s+(?:kidding|joking)\b",
    re.IGNORECASE,
)  # in a line that takes orders back, although it names no force and has no verb of an order
APOLOGY = re.compile(
    r"\b(?:sorry|oops|no|wait|stop)[,.!]+\s|\bactually\b|\bshould\s+be\b|\bmake\s+(?:it|that)\b",
    re.IGNORECASE,
)  # before a correction
ALL_HOLD = re.compile(
    rf"\b(?:all|both|everyone|everybody)\s+{one_of(forms_of(('hold', 'stay', 'halt', 'wait', 'defend')))}\b",
    re.IGNORECASE,
)  # in "then we all hold", which names no force
CORRECTIONS = (CORRECTING, KEEPING, CANCELLING, APOLOGY, UNDECIDED)  # in a line that may correct an order
LEAVING = frozenset(
    ("leave", "leaves", "leaving", "remain", "remains", "remaining", "stop", "stops", "stopping")
)  # begin no order
WE = r"\b(?:i|we)"
WE_WILL = rf"{WE}\s+(?:(?:hereby|also|now|then|therefore|do|will|shall|must|have\s+to)\s+)*"
GIVING_AWAY = re.compile(
    rf"(?:{WE_WILL}|(?:^|[.!?]\s)\W*(?:(?:and|then|so|please|pls|plz)\W+)*)(?:give|hand|cede)\s+(?P<rest>.+)",
    re.IGNORECASE,
)  # something to another player, perhaps a place
BEFORE_RECEIVER = frozenset(("the", "my", "our", "and", "back", "over", "up", "to", "place", "town", "of"))
TREATY = r"(?:peace|truce|armistice|cease-?\s?fire|alliance|treaty|pact)"
SOMEONE = (
    r"(?:(?:somebody|someone|anybody|anyone|another\s+player)(?:\s+else)?|(?:a|my)\s+friend"
    r"|(?:the|an?)\s+(?:computer|ai|bot|program)(?:\s+commander)?)"
)
FOR_ME = rf"(?:me|us|(?:a|the|one|two|three|\d+|next|this|some)\s+(?:\w+\s+)?(?:{TIME}|while)\b)"
ASKING_SOMEONE = (
    rf"\b(?:let|can|could|may|would)\s+{SOMEONE}\s+(?:please\s+)?(?:(?:take|make|do|play|fight|run|give)"
    r"\s+(?:my|our)\s+(?:turns?|place|moves?|battles?|orders?|forces?)\b"
    rf"|(?:play|take\s+over)(?=\s+(?:for\s+{FOR_ME}|from|instead|until|while)\b|\W*$|[.!?]))"
    r"|\b(?:can|could|may)\s+(?:i|we|you)\s+(?:please\s+)?(?:have|get|find)\s+(?:\w+\s+){1,2}substitute\b"
)  # in a question that is a request for a substitute
ASKING_FOR_SUBSTITUTE = re.compile(ASKING_SOMEONE, re.IGNORECASE)
CANNOT_PLAY = (
    rf"{WE}\s+(?:can\s*not|can['\u2019]?t|won['\u2019]?t|will\s+not)\s+(?:be\s+able\s+to\s+)?"
    rf"(?:play|take\s+part)\b[^.!?]{{0,20}}\b{TIME}\b"
)
SUBSTITUTE = (
    r"(?<!\bfor the )(?<!\bfor my )\bsubstitutes?\b"  # not in "thanks for the substitute"
    r"|\b(?:sub|stand\s+in|fill\s+in|deputi[sz]e)\s+(?:for\s+)?(?:me|us)\b"
    rf"|{ASKING_SOMEONE}"
    rf"|{CANNOT_PLAY}"
)
ABSENT = re.compile(CANNOT_PLAY, re.IGNORECASE)
STAND_IN = re.compile(
    rf"{SUBSTITUTE}|\bplays?\s+for\s+(?:me|us)\b", re.IGNORECASE
)  # in a request for a substitute
ASKING = re.compile(
    r"\b(?:please|pls|plz)\b(?!\s+(?:find|see|note|forgive|excuse|pardon|bear|accept\s+my)\b)"
    r"|\?(?!\w)(?![^()]*\))"  # not in the address of a web page, and not in brackets
    rf"|{SUBSTITUTE}"
    rf"|(?:{WE}['\u2019]d\s+(?:also\s+)?like|{WE_WILL}(?:would\s+(?:also\s+)?like|want|wish))\b"
    r"(?!\s+(?:to\s+(?:thank|apologi[sz]e|win|say|mention|(?:add|tell\s+you|remind\s+you)\s+that"
    r"|change\s+(?:one|an|my|some|two)\s+orders?)|you)\b)"
    rf"|{WE_WILL}(?:offer|propose|suggest|request|ask|beg|demand|declare|accept|agree\s+to|resign|retire"
    r"|surrender|concede|quit|give\s+up(?=\W*$)|disband|dissolve|dismiss|appoint|promote|sue\s+for"
    r"|ally|make\s+peace)\b|\bleav(?:e|ing)\s+the\s+(?:game|campaign|war)\b"
    r"|(?:^|[.!?]\s)\W*(?:offer|propose|declare|disband|dissolve|dismiss|appoint|promote)\s"
    r"|\b(?:can|could|may)\s+(?:i|we)\b|\b(?:can|could|would)\s+you\b"
    rf"|\b(?:let\s+us|let['\u2019]?s|propos\w*|offer\w*|suggest\w*|agree\w*|accept\w*|sign|want|wish)\b"
    rf"[^.!?]{{0,80}}\b{TREATY}\b|\b{TREATY}\s+(?:with|between|for\s+\w+\s+{TIME})\b",
    re.IGNORECASE,
)  # in a line that asks the umpire for something
QUESTION_BEGIN = (
    r"\W*(?:(?:hi|hello|hey|dear|ps|and|also|but|by\s+the\s+way"
    r"|(?:(?:just|one|a|another|my|last|more|small|quick)\s+){0,3}questions?)\b[\w ]{0,20}[,:]*\s+)?"
)
ANNOUNCED_QUESTION = re.compile(r"[^:?]{0,80}\bquestions?\b[^:?]{0,40}:\s[^?]+\?[\W_]*$", re.IGNORECASE)
ASKING_TO_MOVE = re.compile(
    rf"\b(?:to|we|i|us|they|them|all|every(?:one|body)|men|troops|forces?|army)\s+{one_of(VERB_FORMS)}\b",
    re.IGNORECASE,
)  # in a question
HYPOTHESIS = r"\b(?:if|when|once|after|as\s+soon\s+as)\b[^,.!?:;]*"
QUESTION = re.compile(
    rf"{QUESTION_BEGIN}(?:{HYPOTHESIS},\s+(?:then\s+)?)?"
    r"(?!(?:what|how)\s+(?:about|if)\b|why\s+(?:not|do\s?n['\u2019]?t)\b)"
    r"(?:is|are|was|were|has|do|does|did|what|how|when|where|why|who|which"
    r"|(?:can|will|would)(?!\s+(?:you|we|i)\b))\b[^.!?]*\?[\W_]*",
    re.IGNORECASE,
)  # a sentence that only asks; `can we spend 4?` and `what about 4 coins?` ask for something
QUESTION_BEGINS = re.compile(
    rf"(?:^|[.!?:]\s+){QUESTION_BEGIN}(?:is|are|am|was|were|has|have|do|does|did|what|how|when|where|why|who|which"
    r"|can|could|may|might|must|shall|should|will|would|i\s+wonder|any\s+(?:chance|idea))\b[^.!?:;]*$",
    re.IGNORECASE,
)  # at the end of a line, on which the question does not end
CONDITION_WORDS = r"(?:if|unless|otherwise|in\s+case|provided|as\s+(?:long|soon)\s+as|depending)"
CONDITION = re.compile(
    rf"\b(?:{CONDITION_WORDS}|when(?:ever)?|once|until|till|either|or\s+else)\b", re.IGNORECASE
)  # in an order that cannot be read
LINKING = r"(?:(?:and|but|or|only|even)\s+)?"
CONDITION_BEGINS = re.compile(rf"(?:^\W*|[.!?:]\s[^\w.!?:]*){LINKING}{CONDITION_WORDS}\b", re.IGNORECASE)
CONDITION_CONTINUES = re.compile(rf"{LINKING}(?:{CONDITION_WORDS}|when(?:ever)?|once)\b")  # in lower case
OPEN_CONDITION = re.compile(rf"{CONDITION_BEGINS.pattern}[^.!?:;]*$", re.IGNORECASE)  # at the end of a line
SENTENCE_SIGN = re.compile(r"[.!?:;](?!\w)")
AGREED = re.compile(
    r"\?\W*\s(?:yes\b|(?:(?:if\s+so|then|so|ok(?:ay)?)\b\W*)*(?:please\s+)?(?:do|go)\b)", re.IGNORECASE
)  # behind a question which then is an order, as in "is the ford free? then do it"
WE_MAY = re.compile(
    rf"{QUESTION_BEGIN}(?:can|could|may|might|must|shall|should|do|did|will|would)\s+(?:i|we)\b[^.!?]*\?[\W_]*",
    re.IGNORECASE,
)  # a sentence that only asks, if it is not about money or prisoners
MODAL = r"(?:can|could|may|might|must|shall|should|will|would)"
WHO_WHAT = "who|what|where|which|when|why|how"
NO_PROPOSAL = rf"(?:(?!\b(?:or|and|but)\s+{MODAL}\s+(?!(?:any|some|every)(?:one|body)\b|(?:the\s+)?enem)).)*"
ASKING_FACTS = re.compile(
    rf"^{QUESTION_BEGIN}(?:{HYPOTHESIS},\s+(?:then\s+)?)?"
    rf"(?:{WHO_WHAT}|does|did|do(?!\s+(?:you|we|i)\b))\b{NO_PROPOSAL}"
    rf"|\b(?:see|know|tell|hear|learn|find\s+out)\s+(?:{WHO_WHAT}|whether|if)\b{NO_PROPOSAL}|{HYPOTHESIS}",
    re.IGNORECASE,
)  # the part of a question that cannot be an order, as in `can they see who stands at York?`
WEIGHING = re.compile(
    r"\b(?:(?:is|would|will)\s+(?:it|that)(?:\s+\w+){1,3}|matters?|helps?|you(?:\s+\w+){1,3})\s+if\b",
    re.IGNORECASE,
)  # in a question that proposes an order, such as `is it better if they march to York?`
CAN_THEY = re.compile(r"\b(?:can|will|would)\s+(?!(?:i|we)\b)", re.IGNORECASE)  # in a possible order

HEADING = re.compile(r"[^.!?:]*\borders?\b[^.!?:]*:\W*", re.IGNORECASE)  # a sentence before orders
SENDER = re.compile(
    r"(?:\W*\b\w+\b){0,3}\W*(?:[Tt]his\s+is|I\s+am|I['\u2019]m|[Mm]y\s+name\s+is)"
    r"(?:\s+(?:your|the))?(?:\s+[A-Z]\w*){1,3}\W*"
)  # a sentence with the sender's name, such as `Hello, this is Brother Piers.`

EVERYONE = r"(?:all|everyone|everybody)"
OUR = r"(?:the|my|our)\s+"
BOTH = re.compile(
    rf"both(?:\s+(?:of\s+)?(?:{OUR})?(?:forces|them|us))?", re.IGNORECASE
)  # the forces of a faction that has two
NUMBERS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten")
ALL_THREE = re.compile(
    rf"all\s+(?:(?:of\s+)?{OUR})?(?:{one_of(NUMBERS)}|[3-9])(?:\s+(?:of\s+)?(?:{OUR})?(?:forces|them|us))?",
    re.IGNORECASE,
)  # the forces of a faction that has as many
EVERY = re.compile(
    rf"{ALL_THREE.pattern}|{EVERYONE}(?:\s+(?:of\s+)?(?:{OUR})?(?:others?|else|rest|(?:other\s+|remaining\s+)?forces|them|us))?"
    rf"|(?:and\s+)?(?:{OUR})?(?:rest|others?|(?:other|remaining)\s+forces)|{BOTH.pattern}",
    re.IGNORECASE,
)  # the forces of a faction that have no order of their own


def request_begins(text: str) -> list[int]:
    """Return where sentences and clauses begin in a text, each of which can be a request.

    >>> request_begins("Hold and I want 3 men"), request_begins("Ben and I want peace")
    ([0, 5], [0])
    """
    joint = {each.end() for each in JOINT_SUBJECT.finditer(text) if each["name"].casefold() not in VERB_FORMS}
    return [0, *(each.end() for each in REQUEST_BEGINS.finditer(text) if each.end() not in joint)]


def is_release(text: str) -> bool:
    """Return True if a line releases a prisoner or agrees on a ransom.

    A part of the program's own sentences, which a mail program has wrapped, does not.

    >>> is_release("We let Holt go."), is_release("We release Holt"), is_release("of a turn. To release")
    (True, True, True)
    >>> is_release("of a turn, without an order. To release one without an"), is_release("We go to York")
    (False, False)
    """
    bare = " ".join(text.strip("-*. ").casefold().split())
    is_own = any(bare in sentence.casefold() for sentence in ABOUT_PRISONERS)
    return not is_own and any(each.search(text) for each in (RELEASING, LETTING_GO))


def is_peace(text: str) -> bool:
    """Return True if a text is about peace, a truce or an alliance.

    >>> is_peace("Uwe and I have made peace."), is_peace("Ein Waffenstillstand bis Weihnachten?")
    (True, True)
    >>> is_peace("Rest in peace!"), is_peace("Peace, Barty"), is_peace("They rally")
    (False, False, False)
    """
    return PEACE.search(text) is not None and PEACE_GREETING.fullmatch(text) is None


def is_answered_no(question: str, answer: str) -> bool:
    """Return True if a sentence refuses what the question or the offer before it asks.

    >>> is_answered_no("Peace with Bea?", "Not today."), is_answered_no("Peace with Bea?", "No problem!")
    (True, False)
    >>> is_answered_no("Bea asked for peace.", "We decline.")
    True
    """
    is_refused = question.endswith("?") and NO_ANSWER.fullmatch(answer) is not None
    return is_refused or DECLINING.fullmatch(answer) is not None


def number_in(text: str) -> int:
    """Return the number of forces in words such as `all three of them`.

    >>> number_in("all three of them"), number_in("All 4")
    (3, 4)
    """
    numbers = {word: number for number, word in enumerate(NUMBERS, 3)}
    words = text.casefold().split()
    return next(numbers.get(word) or int(word) for word in words if word in numbers or word.isdigit())


def hired_number(word: str) -> int:
    """Return the number of soldiers, or the sum, of a word in an order to hire.

    >>> hired_number("three"), hired_number("12"), hired_number("nobody")
    (3, 12, 0)
    """
    numbers = {name: number for number, name in enumerate(NUMBER_WORDS, 1)}
    return int(word) if word.isdigit() else numbers.get(word.casefold(), 0)


def with_digits(text: str) -> str:
    """Return a text with each number of soldiers or of money in digits.

    >>> with_digits("One of us wants Seven soldiers (twenty-one crowns)")
    'One of us wants 7 soldiers (twenty-one crowns)'
    """
    numbers = {word: str(number) for number, word in enumerate(NUMBER_WORDS, 1)}
    return NUMBER_OF.sub(lambda found: numbers.get(found["number"].lower(), "1"), text)


EXCEPT = r"(?:except(?:\s+for|ing)?|but(?:\s+not)?|save(?:\s+for)?|apart\s+from|other\s+than|only)"
EXCEPTION = re.compile(
    rf"(?P<every>{EVERY.pattern})\s*:?\s+(?:(?P<order>[^:]{{1,120}}?)[\s,]+)?{EXCEPT}\s+(?P<rest>\S.*)",
    re.IGNORECASE,
)  # in "all hold except the pikes, who march to york" and "all except the pikes hold"
WHO = re.compile(r"(?:who|which|that|it|they)\s+", re.IGNORECASE)  # before the order of such a force


def misspelt_verb(text: str) -> str:
    """Return an order whose first word is a misspelt verb with the right verb, or "" for another order.

    >>> misspelt_verb("mrach to york"), misspelt_verb("york"), misspelt_verb("hold. york")
    ('march to york', '', '')
    """
    word, _, rest = text.partition(" ")
    if word.rstrip(".,;:!?").lower() in VERB_FORMS:
        return ""
    similar = difflib.get_close_matches(word.lower(), sorted(VERB_FORMS), 1, SIMILAR)
    return f"{similar[0]} {rest}".strip() if similar and similar[0] != word.lower() else ""


def is_misspelt_verb(word: str) -> bool:
    """Return True if a word in lower case is probably a misspelt verb of an order.

    >>> is_misspelt_verb("mrach"), is_misspelt_verb("march"), is_misspelt_verb("more")
    (True, False, False)
    """
    if word in VERB_FORMS or word in COMMON_WORDS:
        return False
    return bool(difflib.get_close_matches(word, sorted(VERB_FORMS), 1, NEAR_VERB))
