"""experiment.py - an experiment file (TOML) and the cells it asks for.

    name = "sizes"                      # of the results
    repetitions = 5                     # runs of each cell
    jvms = ["17", "/opt/jdk-21"]        # release (looked for in /usr/lib/jvm) or JAVA_HOME; default: the `java` of the
    PATH formats = ["omni", "freq"]          # formats.def; default omni groups = ["ALL", "EXEC+CALL"]       # values of
    weave=; default ALL options = ["", "order=total"]       # further options of the agent, one cell each; default none
    jvm_options = ["-Xmx1g"]            # of every run, the plain one too timeout = 600                       # seconds
    a run may take analyses = ["rings"]                # analyses.py: more figures from the traces; default none

    [parameters]                        # one cell for each value; {threads} stands for it in commands and options
    threads = [1, 2, 4, 8]

    [[programs]]
    name = "h2"
    command = ["java", "-jar", "x.jar"] # `java` is the one of the cell, with its options
    # or, for what takes more than one command, bash: `jv` is that java; prepare runs once for every JVM
    prepare = "javac -d . $EXPERIMENT/H2Run.java"
    run = "jv -cp /usr/share/java/h2.jar:$PREPARED H2Run"

A cell is a program on a JVM with parameters, recorded in one way or plain. Cells that differ only in how they are
recorded form a block with the plain one; slowdowns are ratios within a block and repetition, so that what the machine
does meanwhile meets both alike (a randomised block design). """
import glob
import itertools
import os
import random
import shutil
import sys
import tomllib
from dataclasses import dataclass, field

TYPES = {
    "name": str,
    "repetitions": int,
    "jvms": list,
    "formats": list,
    "groups": list,
    "options": list,
    "jvm_options": list,
    "timeout": int,
    "seed": int,
    "parameters": dict,
    "programs": list,
    "analyses": list,
}
WORDS = {str: "a text", int: "a whole number", list: "a list", dict: "a table"}
PROGRAM_TYPES = {"name": str, "command": list, "prepare": str, "run": str}


class Mistake(Exception):
    """What is wrong with the file, in one sentence for the user."""


@dataclass(frozen=True)
class Cell:
    program: str
    jvm: str
    parameters: tuple  # of (name, value), sorted
    format: str  # "" plain
    groups: str
    options: str

    @property
    def block(self):
        return (self.program, self.jvm, self.parameters)

    @property
    def plain(self):
        return self.format == ""

    def recording(self):
        """What distinguishes it within its block, in words."""
        return "plain" if self.plain else " ".join(w for w in (self.format, self.groups, self.options) if w)

    def words(self):
        values = ",".join("%s=%s" % p for p in self.parameters)
        return " ".join(w for w in (self.program, values, self.jvm, self.recording()) if w)


@dataclass
class Experiment:
    path: str
    name: str
    programs: dict
    jvms: list
    formats: list = field(default_factory=lambda: ["omni"])
    groups: list = field(default_factory=lambda: ["ALL"])
    options: list = field(default_factory=lambda: [""])
    jvm_options: list = field(default_factory=list)
    parameters: dict = field(default_factory=dict)
    analyses: list = field(default_factory=list)
    repetitions: int = 5
    timeout: int = 600
    seed: int = 1

    def blocks(self):
        """[[Cell]]: the plain cell first, then the recorded ones."""
        names = sorted(self.parameters)
        for program, jvm in itertools.product(self.programs, self.jvms):
            for values in itertools.product(*(self.parameters[n] for n in names)):
                chosen = tuple(zip(names, values))
                ways = itertools.product(self.formats, self.groups, self.options)
                yield [Cell(program, jvm, chosen, "", "", "")] + [Cell(program, jvm, chosen, *w) for w in ways]

    def schedule(self):
        """[(repetition, Cell)] in random order: blocks of a repetition are shuffled, and the cells within each
        block."""
        dice = random.Random(self.seed)
        plan = []
        for repetition in range(self.repetitions):
            blocks = list(self.blocks())
            dice.shuffle(blocks)
            for block in blocks:
                dice.shuffle(block)
                plan += [(repetition, cell) for cell in block]
        return plan


def check(table, types, where):
    for key, value in table.items():
        if key not in types:
            raise Mistake("%s: unknown key '%s' (known: %s)" % (where, key, ", ".join(types)))
        if not isinstance(value, types[key]) or isinstance(value, bool):
            raise Mistake("%s: %s must be %s" % (where, key, WORDS[types[key]]))
        if value == []:
            raise Mistake("%s: %s is empty" % (where, key))


def java_home(jvm):
    """JAVA_HOME of what `jvms` says."""
    if os.path.isabs(jvm):
        homes = [jvm]
    elif jvm == "":
        java = shutil.which("java")
        homes = [os.path.dirname(os.path.dirname(os.path.realpath(java)))] if java else []
    else:
        homes = sorted(h for h in glob.glob("/usr/lib/jvm/*") if release(h) == jvm)
    for home in homes:
        if os.access(os.path.join(home, "bin", "java"), os.X_OK):
            return home
    raise Mistake("there is no JVM '%s': give a release that stands in /usr/lib/jvm, or a JAVA_HOME" % (jvm or "java"))


def release(home):
    try:
        with open(os.path.join(home, "release")) as file:
            lines = dict(l.strip().split("=", 1) for l in file if "=" in l)
    except OSError:
        return None
    return lines.get("JAVA_VERSION", "").strip('"').split(".")[0]


def load(path):
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise Mistake("%s: %s" % (path, error.strerror))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Mistake("%s: not TOML: %s" % (path, error))
    check(table, TYPES, path)
    programs = {}
    for number, program in enumerate(table.pop("programs", [])):
        where = "%s: programs[%d]" % (path, number)
        if not isinstance(program, dict):
            raise Mistake(where + " must be a table: [[programs]]")
        check(program, PROGRAM_TYPES, where)
        if "name" not in program or ("command" in program) == ("run" in program):
            raise Mistake(where + " needs a name, and either command or run")
        if program["name"] in programs:
            raise Mistake("%s: two programs are named '%s'" % (path, program["name"]))
        programs[program["name"]] = program
    if not programs:
        raise Mistake(path + ": no programs: add [[programs]] with a name and a command")
    for name, values in table.get("parameters", {}).items():
        if not isinstance(values, list) or not values:
            raise Mistake("%s: parameters.%s must be a list of values" % (path, name))
    for key in ("repetitions", "timeout"):
        if table.get(key, 1) < 1:
            raise Mistake("%s: %s must be at least 1" % (path, key))
    table.setdefault("name", os.path.splitext(os.path.basename(path))[0])
    jvms = table.pop("jvms", [""])
    for jvm in jvms:
        java_home(str(jvm))
    return Experiment(path=os.path.abspath(path), programs=programs, jvms=[str(j) for j in jvms], **table)
