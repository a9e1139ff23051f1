"""Which variants may stand for which predicates: Runs_P of ref/executable.c
for P, when a lemma, or a lemma and a function, prove them to be the same."""

from acsl import Node, Trouble
from acsl_emit import RUNS, conjuncts

WIDE = {"uint64_t", "size_t"}  # what an integer argument of a proof may be


def variants(unit):
    """{Runs_P: the domain, a Node or None} for those that are proved."""
    table = {logic.name: logic for logic in unit.logic}
    lemmas, found = {}, {}
    for logic in unit.logic:
        if logic.kind == "lemma":
            lemmas.update(equivalence(logic, table))
    for name in sorted(table):
        plain, logic = name[len(RUNS):], table[name]
        if not name.startswith(RUNS):
            continue
        if plain not in table or logic.labels + table[plain].labels or \
                [kind for kind, _ in table[plain].params] != \
                [kind for kind, _ in logic.params]:
            raise Trouble(logic.file, logic.line,
                          "%s has not the parameters of %s" % (name, plain))
        both, domain = lemmas.get(name, (None, None))
        if both is None or not (both or back(unit, logic, domain)):
            raise Trouble(logic.file, logic.line, "no lemma says that %s and "
                          "%s are the same" % (name, plain))
        found[name] = domain
    return found


def is_call(node, name, names):
    return node.kind == "call" and node.value == (name, []) and \
        [(part.kind, part.value) for part in node.kids] == \
        [("name", one) for one in names]


def equivalence(lemma, table):
    """{Runs_P: (whether both ways, domain)} if the lemma reads, for all
    parameters of P, "P <==> Runs_P" or "P ==> Runs_P", maybe after a domain:
    "D ==> ..."."""
    node, domain = lemma.body, None
    if node.kind != "forall":
        return {}
    binders, node = node.value, node.kids[0]
    if node.kind == "==>" and node.kids[1].kind in ("==>", "<==>"):
        domain, node = node.kids
    if node.kind not in ("==>", "<==>") or node.kids[0].kind != "call":
        return {}
    plain = node.kids[0].value[0]
    names = [name for _, name in binders]
    if RUNS + plain not in table or binders != table[RUNS + plain].params or \
            not is_call(node.kids[0], plain, names) or \
            not is_call(node.kids[1], RUNS + plain, names):
        return {}
    return {RUNS + plain: (node.kind == "<==>", domain)}


def same(one, other):
    return (one.kind, one.value, len(one.kids)) == \
        (other.kind, other.value, len(other.kids)) and \
        all(same(*kids) for kids in zip(one.kids, other.kids))


def back(unit, logic, domain):
    """Whether a function with a body requires Runs_P and ensures P, of the
    same arguments. One that proves less than Runs_P ==> P is refused."""
    plain = logic.name[len(RUNS):]
    for item in unit.items:
        if item.kind != "function" or item.value.name not in unit.contracts:
            continue
        contract, file = unit.contracts[item.value.name]
        asked, told = ([part for clause in contract.clauses
                        if clause.kind == kind
                        for part in conjuncts(clause.node)]
                       for kind in ("requires", "ensures"))
        for given in asked:
            wanted = Node("call", 0, given.kids, (plain, []))
            if given.kind == "call" and given.value == (logic.name, []) and \
                    any(same(part, wanted) for part in told):
                Proof(unit, item.value, contract, file, logic).check(
                    given, asked, domain)
                return True
    return False


class Proof:
    """A function whose contract is to prove that Runs_P implies P."""

    def __init__(self, unit, function, contract, file, logic):
        self.unit, self.function, self.contract = unit, function, contract
        self.file, self.logic, self.fixed = file, logic, []
        self.params = {name: kind.replace("const ", "")
                       for kind, name in function.params}

    def refuse(self, line, text):
        raise Trouble(self.file, line, "%s: %s" % (self.function.name, text))

    def check(self, given, asked, domain):
        """Refuses what could make it prove less: memory that changes, a call
        without end, special arguments, a requires that is not the domain of
        the lemma of the other direction and does not say what a parameter
        is."""
        clauses = self.contract.clauses
        sets = [node.kind for c in clauses if c.kind == "assigns"
                for node in c.node]
        if set(sets) != {"nothing"} or ["true"] != [
                c.node.kind for c in clauses if c.kind == "terminates"]:
            self.refuse(self.contract.line, "a proof terminates and assigns "
                        "\\nothing")
        for param, arg in zip(self.logic.params, given.kids):
            self.argument(param, arg)
        names = {name: arg for (_, name), arg
                 in zip(self.logic.params, given.kids)}
        known = [replaced(part, names)
                 for part in (conjuncts(domain) if domain else [])]
        for part in asked:
            if part is not given and not self.defines(part) and \
                    not any(same(part, one) for one in known):
                self.refuse(part.line, "requires more than %s and its domain"
                            % self.logic.name)

    def argument(self, param, arg):
        """A parameter of its own; or, of an integer, that and a number, if a
        lemma says the rest."""
        (kind, name), base = param, arg
        if kind == "integer" and arg.kind == "+" and \
                arg.kids[1].kind == "num" and self.rest(name, arg.kids[1]):
            base = arg.kids[0]
        wide = WIDE if kind == "integer" else {kind}
        if base.kind != "name" or base.value in self.fixed or \
                self.params.get(base.value) not in wide:
            self.refuse(arg.line, "proves %s for some %s alone" % (
                self.logic.name[len(RUNS):], name))
        self.fixed.append(base.value)

    def rest(self, name, least):
        """Whether a lemma says that P holds of all that are below."""
        names = [one for _, one in self.logic.params]
        below = Node("rel", 0, [Node("name", 0, (), name),
                                Node("num", 0, (), least.value - 1)], ["<="])
        return any(
            logic.kind == "lemma" and logic.body.kind == "forall" and
            logic.body.value == self.logic.params and
            logic.body.kids[0].kind == "==>" and
            same(logic.body.kids[0].kids[0], below) and
            is_call(logic.body.kids[0].kids[1], self.logic.name[len(RUNS):],
                    names)
            for logic in self.unit.logic)

    def defines(self, part):
        """Whether it says of one more parameter in which cell its value
        stands: true of some value, whatever the others are."""
        if part.kind != "rel" or part.value != ["=="]:
            return False
        left, cell = part.kids
        names = {node.value for node in cell.walk() if node.kind == "name"}
        if left.kind != "name" or left.value in self.fixed or \
                self.params.get(left.value) not in WIDE or \
                cell.kind not in ("field", "index", "deref") or \
                not names <= set(self.fixed):
            return False
        self.fixed.append(left.value)
        return True


def replaced(node, names):
    if node.kind == "name" and node.value in names:
        return names[node.value]
    return Node(node.kind, node.line,
                [replaced(kid, names) for kid in node.kids], node.value)
