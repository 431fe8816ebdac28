// api.js - questions to the server: `GET /api/COMMAND`, answers as a list of objects.
//
// Each question has the token, which is taken out of the address that the page is opened with and kept in its storage:
// that belongs to this port alone, unlike a cookie, which the browser would send to every server of 127.0.0.1.
//
// Integers above 2^53 and numbers with a fraction keep their digits: they become { n: "digits" } (see number and
// digits below), so that a long or a double is shown as the program had it.
const KEY = 'hindsight-token';

function takeToken() {
    const address = new URL(location.href);
    const given = address.searchParams.get('token');
    try {
        if (!given) return localStorage.getItem(KEY);
        localStorage.setItem(KEY, given);
    } catch {
        return given; // without storage it stays in the address
    }
    address.searchParams.delete('token');
    history.replaceState(null, '', address);
    return given;
}
const token = takeToken();
export const liveAddress = () => `ws://${location.host}/live?token=${encodeURIComponent(token ?? '')}`;

const kept = new Map(); // answers of questions about a trace that has ended
const KEPT_MAX = 300;

export class Failure extends Error {}

const NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function exact(text) {
    return text.replace(NUMBERS, (t) => {
        if (t[0] === '"' || (/^-?\d+$/.test(t) && Number.isSafeInteger(Number(t)))) return t;
        return '{"n":"' + t + '"}';
    });
}

export const parse = (text) => text.split('\n').filter(Boolean).map((line) => JSON.parse(exact(line)));
export const isNumber = (v) => typeof v === 'number' || (v !== null && typeof v === 'object' && typeof v.n === 'string');
export const number = (v) => (typeof v === 'object' && v !== null ? Number(v.n) : v);
export const digits = (v) => (typeof v === 'object' && v !== null ? v.n : String(v));

function query(parameters) {
    const q = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters))
        if (value !== undefined && value !== null && value !== '' && value !== false)
            for (const one of Array.isArray(value) ? value : [value]) q.append(name, one);
    return q.toString();
}

async function fetchRows(address, options) {
    const headers = token ? { Authorization: 'Bearer ' + token } : {};
    const answer = await fetch(address, { credentials: 'omit', headers, ...options });
    const text = await answer.text();
    if (!answer.ok) {
        let why = answer.status + ' ' + answer.statusText;
        try {
            why = JSON.parse(text).error.replace(/^hindsight [a-z-]+: /, '');
        } catch {
            /* the answer of something else */
        }
        throw new Failure(why);
    }
    const incomplete = answer.headers.get('Hindsight-Incomplete');
    const rows = parse(text);
    rows.incomplete = incomplete ? decodeURIComponent(incomplete).replace(/^hindsight [a-z-]+: /, '') : null;
    return rows;
}

// The rows that the command answers; `rows.incomplete`: why the trace is incomplete, or null.
export function ask(command, parameters = {}, signal) {
    const address = '/api/' + command + '?' + query(parameters);
    if (kept.has(address)) return kept.get(address);
    const rows = fetchRows(address, { signal });
    rows.then(
        (r) => r.incomplete && kept.delete(address), // it may still grow
        () => kept.delete(address),
    );
    kept.set(address, rows);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value);
    return rows;
}

export const post = (command, parameters) =>
    fetchRows('/api/' + command + '?' + query(parameters), { method: 'POST' });
export const askNow = (command, parameters = {}) => fetchRows('/api/' + command + '?' + query(parameters), {});
export const forget = () => kept.clear();
