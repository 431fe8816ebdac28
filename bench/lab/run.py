"""run.py - one run of one cell: start the program, wait, measure, read what was recorded.

The program finds a `java` in its PATH that adds the options of the cell, so that scripts which start several JVMs are
recorded too. Wall time is that of the whole command; CPU time and memory are what the kernel counted for it and its
children (getrusage; memory: the largest process)."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import analyses
from experiment import java_home


class Workshop:
    """Where the programs run: a folder with prepared files for each program and JVM, and the tools."""

    def __init__(self, experiment, tools, folder, keep):
        self.experiment, self.tools, self.folder, self.keep = experiment, tools, folder, keep
        self.prepared = {}

    def environment(self, home, options, scratch):
        """The environment of a run: `java` and `jv` start the JVM of the cell with its options."""
        bin_folder = os.path.join(scratch, "bin")
        os.makedirs(bin_folder)
        for name in ("java", "jv"):
            path = os.path.join(bin_folder, name)
            with open(path, "w") as file:
                words = [os.path.join(home, "bin", "java")] + options
                file.write("#!/bin/sh\nexec %s \"$@\"\n" % " ".join(shlex.quote(w) for w in words))
            os.chmod(path, 0o755)
        env = {
            k: v for k, v in os.environ.items() if k not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")
        }
        env.update(
            PATH=bin_folder + ":" + os.path.join(home, "bin") + ":" + env.get("PATH", ""),
            JAVA_HOME=home,
            EXPERIMENT=os.path.dirname(self.experiment.path),
        )
        return env

    def prepare(self, cell):
        """Runs the program's `prepare` once a JVM; the folder it ran in."""
        key = (cell.program, cell.jvm)
        if key in self.prepared:
            return self.prepared[key]
        folder = tempfile.mkdtemp(prefix="prepared-", dir=self.folder)
        command = self.experiment.programs[cell.program].get("prepare")
        if command is not None:
            env = self.environment(java_home(cell.jvm), [], tempfile.mkdtemp(dir=self.folder))
            env["PREPARED"] = folder
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(
                    "%s: prepare exits with %d: %s" % (cell.program, done.returncode, last_line(done.stderr))
                )
        self.prepared[key] = folder
        return folder

    def run(self, cell):
        """What one run of the cell gave, as a dict for runs.jsonl. A run that fails says so in `failed`."""
        scratch = tempfile.mkdtemp(prefix="run-", dir=self.folder)
        try:
            return self.measure(cell, scratch)
        finally:
            if not self.keep:
                shutil.rmtree(scratch, ignore_errors=True)

    def measure(self, cell, scratch):
        prepared = self.prepare(cell)
        traces = os.path.join(scratch, "traces")
        work = os.path.join(scratch, "work")
        os.makedirs(traces)
        os.makedirs(work)
        options = [insert(o, cell) for o in self.experiment.jvm_options]
        if not cell.plain:
            words = ["output=%s/{pid}" % traces, "format=" + cell.format, "weave=" + cell.groups, "quiet=true"]
            words += [insert(cell.options, cell)] if cell.options else []
            options.append("-agentpath:%s=%s" % (self.tools.agent, ",".join(words)))
        env = self.environment(java_home(cell.jvm), options, scratch)
        env["PREPARED"] = prepared
        program = self.experiment.programs[cell.program]
        command = (
            [insert(w, cell) for w in program["command"]]
            if "command" in program
            else ["bash", "-c", insert(program["run"], cell)]
        )
        result = timed(command, work, env, self.experiment.timeout)
        if not cell.plain and "failed" not in result:
            self.read_traces(cell, traces, result)
        return result

    def read_traces(self, cell, traces, result):
        paths = sorted(os.path.join(traces, name) for name in os.listdir(traces))
        if not paths:
            result["failed"] = "nothing was recorded"
            return
        infos = [self.tools.ask("info", path) for path in paths]
        for key in ("events", "lost", "bytes"):
            result[key] = sum(info.get(key, 0) for info in infos)
        for table, key in (("by_group", "groups"), ("by_type", "types"), ("storage", "storage")):
            result[table] = add_tables([info[key] for info in infos if key in info])
        result["ends"] = [info.get("end") for info in infos]
        if result["lost"] or any(end != "clean" for end in result["ends"]):
            result["failed"] = "%d events lost, ended %s" % (result["lost"], ", ".join(map(str, result["ends"])))
        for name in self.experiment.analyses:
            result.setdefault("analyses", {})[name] = analyses.TABLE[name](self.tools, cell, paths)


def insert(word, cell):
    """{name} of the experiment's parameters; other braces stay as they are."""
    for name, value in cell.parameters:
        word = word.replace("{%s}" % name, str(value))
    return word


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def add_tables(tables):
    """The sum of dicts of numbers, which may hold dicts themselves."""
    total = {}
    for table in tables:
        for key, value in table.items():
            total[key] = (
                add_tables([total.get(key, {}), value]) if isinstance(value, dict) else total.get(key, 0) + value
            )
    return total


def timed(command, folder, env, timeout):
    """Runs the command in a process group of its own; what is left of the group after `timeout` seconds is killed."""
    result = {"started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "load": os.getloadavg()[0]}
    with open(os.path.join(folder, ".stdout"), "wb") as out, open(os.path.join(folder, ".stderr"), "w+b") as err:
        begin = time.monotonic()
        try:
            child = subprocess.Popen(
                command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
        except OSError as error:
            return dict(result, failed="%s: %s" % (command[0], error.strerror))
        late = threading.Event()

        def kill():
            late.set()
            os.killpg(child.pid, signal.SIGKILL)

        clock = threading.Timer(timeout, kill)
        clock.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            os.wait4(child.pid, 0)
            raise
        finally:
            clock.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        result.update(
            wall_s=round(time.monotonic() - begin, 6),
            cpu_s=round(usage.ru_utime + usage.ru_stime, 6),
            max_rss_kb=usage.ru_maxrss,
            exit=child.returncode,
        )
        if late.is_set():
            result["failed"] = "killed after %d s" % timeout
        elif child.returncode != 0:
            err.seek(0)
            text = err.read().decode("utf-8", "replace")
            result["failed"] = "exit status %d: %s" % (child.returncode, last_line(text))
    return result


class Tools:
    """The agent and the command that the experiment is about."""

    def __init__(self, agent, command):
        self.agent, self.command = agent, command

    def lines(self, *words):
        """What the command prints, one JSON object a line, read as it comes."""
        with subprocess.Popen([self.command, *words, "--json"], stdout=subprocess.PIPE) as child:
            for line in child.stdout:
                yield json.loads(line)
        if child.returncode not in (0, 3):
            raise RuntimeError("%s %s: exit status %d" % (self.command, " ".join(words), child.returncode))

    def ask(self, *words):
        return next(iter(self.lines(*words)))
