SELECT count(*) AS n, count(DISTINCT run) AS runs, sum(events) AS events, min(started) AS first FROM runs
SELECT run, name, started, ended, "end", format, weave, jvm, command, pid, events, lost, bytes, recording FROM runs ORDER BY run
SELECT name, count(*) AS n FROM runs GROUP BY name HAVING count(*) > 0 ORDER BY name
SELECT run, class, method, "desc", calls, exceptions, total_ns, self_ns FROM calls ORDER BY run, class, method, "desc"
SELECT method, sum(calls) AS n, count(DISTINCT run) AS runs FROM calls GROUP BY method ORDER BY method
SELECT class, max(total_ns) AS most, min(self_ns) AS least FROM calls GROUP BY class ORDER BY class
SELECT method, total_ns * 1e0 / calls AS mean FROM calls WHERE calls > 1 AND total_ns IS NOT NULL ORDER BY method, mean
SELECT name, method, calls FROM runs JOIN calls USING (run) ORDER BY name, method, calls
SELECT name, sum(exceptions) AS thrown FROM runs JOIN calls USING (run) GROUP BY name ORDER BY name
SELECT run, type, frames, class, method, line, count, swallowed, uncaught, first FROM exceptions ORDER BY run, first
SELECT type, sum(count) AS n, sum(uncaught) AS ended FROM exceptions GROUP BY type ORDER BY type
SELECT name, count(*) AS shapes FROM runs JOIN exceptions USING (run) GROUP BY name ORDER BY shapes, name
SELECT run, header, value, count, first, class, method FROM requests ORDER BY run, header, value
SELECT value, count(DISTINCT run) AS runs FROM requests GROUP BY value ORDER BY value
SELECT name, value FROM runs JOIN requests USING (run) WHERE value LIKE 'req-%' ORDER BY name, value
SELECT run, class, loader, hash FROM builds ORDER BY run, class
SELECT hash, count(DISTINCT run) AS runs FROM builds GROUP BY hash ORDER BY hash
SELECT name FROM runs WHERE run IN (SELECT run FROM requests WHERE value = 'req-2') ORDER BY name
SELECT name, CASE WHEN events > 100 THEN 'many' ELSE 'few' END AS size FROM runs ORDER BY name, size
SELECT count(*) AS n FROM marks
SELECT key, value, count(*) AS n FROM labels GROUP BY key, value ORDER BY key, value
SELECT DISTINCT method FROM calls WHERE method NOT LIKE '<%' ORDER BY method LIMIT 5
SELECT run FROM runs WHERE name = 'nobody'
