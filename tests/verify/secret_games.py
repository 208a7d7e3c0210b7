"""Small random games with secrets, and random formulas about them; every match ends within three steps."""

from __future__ import annotations

from random import Random

FLUENTS = ("p0", "p1", "p2")
MOVES = ("m0", "m1")
STEPS = 3


def random_game(seed: int) -> str:
    """Rules of two roles, perhaps with chance, that hide much and tell little."""
    random = Random(seed)
    roles = ["a", "b", "random"][: random.choice([1, 2, 2, 3])]
    if len(roles) == 1:
        roles.append("random")

    def fluent() -> str:
        literal = f"(true {random.choice(FLUENTS)})"
        return literal if random.random() < 0.6 else f"(not {literal})"

    def move() -> str:
        return f"(does {random.choice(roles)} {random.choice(MOVES)})"

    def body(count: int) -> str:
        return " ".join(move() if random.random() < 0.5 else fluent() for _ in range(count))

    rules = [f"(role {role})" for role in roles]
    rules += ["(init (step 0))", *(f"(init {name})" for name in FLUENTS if random.random() < 0.4)]
    rules += [f"(<= (next (step {n + 1})) (true (step {n})))" for n in range(STEPS)]
    for role in roles:
        # Seldom a role can be stuck.
        rules.append(f"(legal {role} m0)" if random.random() < 0.9 else f"(<= (legal {role} m0) {fluent()})")
        rules.append(f"(<= (legal {role} m1) {fluent() if random.random() < 0.5 else '(true (step ?n))'})")
    for name in FLUENTS:
        rules += [f"(<= (next {name}) {body(random.choice([1, 2]))})" for _ in range(random.choice([1, 2]))]
        if random.random() < 0.3:
            rules.append(f"(<= (next {name}) (true {name}))")
    for role in roles:
        if role != "random":
            for percept in ("x", "y")[: random.choice([0, 1, 2])]:
                rules.append(f"(<= (sees {role} {percept}) {body(random.choice([1, 2]))})")
    rules.append(f"(<= terminal (true (step {STEPS})))")
    if random.random() < 0.5:
        rules.append(f"(<= terminal (not (true (step 0))) {fluent()} {fluent()})")
    for role in roles:
        name = random.choice(FLUENTS)
        rules += [f"(<= (goal {role} 100) (true {name}))", f"(<= (goal {role} 0) (not (true {name})))"]
    # So that it is a game with secrets whatever was drawn.
    rules.append("(<= (sees a never) (true (step 9)))")
    return "\n".join(rules)


def roles_of(text: str) -> list[str]:
    return [role for role in ("a", "b", "random") if f"(role {role})" in text]


def random_formula(seed: int, roles: list[str], *, depth: int = 4, surely: bool = False, knows: bool = True) -> str:
    """A formula in which every operator has its chance; unless somebody is to know something, about time alone."""
    random = Random(seed)
    knowing = [role for role in roles if role != "random"]

    def atom() -> str:
        of_moves = [f"(did {random.choice(roles)} {random.choice(MOVES)})"] if knows else []
        return random.choice([*FLUENTS, "terminal", f"(step {random.randrange(STEPS + 1)})",
                              f"(legal {random.choice(roles)} {random.choice(MOVES)})",
                              f"(goal {random.choice(roles)} {random.choice([0, 100])})", *of_moves])

    def bound() -> str:
        return f"{random.choice(['at_least', 'at_most', 'exactly'])} {random.randrange(3)}"

    def made(left: int) -> str:
        if left == 0 or random.random() < 0.1:
            return atom()
        kind = random.randrange(10 if not knows else 14 if surely else 13)
        if kind == 8:
            return f"({bound()} {' '.join(made(left - 1) for _ in range(random.randint(1, 3)))})"
        if kind == 9:
            asked = f"({random.choice(['legal', 'did'] if knows else ['legal'])} {random.choice(roles)} ?m{left})"
            if random.random() < 0.3:
                return f"some ?m{left} ({asked} and {made(left - 1)})"
            return f"{bound()} ?m{left} ({asked} {random.choice(['and', 'and not'])} {made(left - 1)})"
        if kind < 2:
            return f"({made(left - 1)} {random.choice(['and', 'or', 'implies', 'iff'])} {made(left - 1)})"
        if kind == 2:
            return f"not {made(left - 1)}"
        if kind < 6:
            word = random.choice(["AG", "EF", "AF", "EG", "AX", "EX"])
            return f"{word} {made(left - 1)}"
        if kind == 6:
            return f"{random.choice('AE')}[{made(left - 1)} U {made(left - 1)}]"
        if kind == 7:
            return f"{random.choice('AE')} {random.choice('GFX')} {random.choice('GFX')} {made(max(0, left - 2))}"
        if kind < 12:
            return random.choice([f"K {random.choice(knowing)}", f"knows_whether {random.choice(knowing)}",
                                  f"not K {random.choice(knowing)}"]) + f" {made(left - 1)}"
        if kind == 12:
            group = " ".join(random.sample(knowing, random.randint(1, len(knowing))))
            return f"{random.choice('ECD')} {{{group}}} {made(left - 1)}"
        return f"surely {random.choice(knowing)} {atom()} within {random.randrange(4)}"

    return made(depth)


def random_moment(random: Random, roles: list[str], depth: int = 3) -> str:
    """A formula about one moment and what is known then."""
    knowing = [role for role in roles if role != "random"]

    def made(left: int) -> str:
        kind = random.randrange(9) if left else 7
        if kind == 8:
            bound = random.choice(["at_least", "at_most", "exactly"])
            return f"({bound} {random.randrange(3)} {' '.join(made(left - 1) for _ in range(random.randint(1, 3)))})"
        if kind < 2:
            return f"({made(left - 1)} {random.choice(['and', 'or', 'implies'])} {made(left - 1)})"
        if kind == 2:
            return f"not {made(left - 1)}"
        if kind < 6:
            return f"{random.choice(['K', 'K', 'knows_whether'])} {random.choice(knowing)} {made(left - 1)}"
        if kind == 6:
            return f"{random.choice('ED')} {{{' '.join(knowing)}}} {made(left - 1)}"
        return random.choice([*FLUENTS, "terminal", f"(step {random.randrange(STEPS + 1)})",
                              f"(legal {random.choice(roles)} m1)", f"(goal {random.choice(roles)} 100)",
                              f"(did {random.choice(roles)} {random.choice(MOVES)})"])

    return made(depth)
