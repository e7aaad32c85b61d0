/**
 * What the extension and its native host say to each other. The host speaks the protocol version that the
 * extension asked for and never sends a field that this version does not have, so unknown fields are refused.
 *
 * @typedef {{major: number, minor: number}} ProtocolVersion
 * @typedef {{protocol: ProtocolVersion, version: string}} HelloResult
 * @typedef {{identifier: string, name: string}} Provider
 * @typedef {'password' | 'passkey' | 'oneTimeCode'} ListKind
 * @typedef {Provider & {lists: ListKind[], isSilent: boolean}} ListedProvider `lists`: what it has whole lists of, to
 *     choose from; `isSilent`: it has named no account at all
 * @typedef {'origin' | 'host' | 'site' | 'shared'} Match how close the account's address is to the page's; `shared`: it is
 *     another site's, of which is known that its accounts are good here
 * @typedef {{handle: string, user: string, service: string, provider: Provider, match: Match, kind: ListKind,
 *     period?: number}} Suggestion `handle` is good for this page alone; it names nothing; `period`: how long each code is
 *     good for, in seconds counted from 1970, where that is known
 * @typedef {{suggestions: Suggestion[], more: number, providers: ListedProvider[], setUp?: true}} SuggestResult
 *     `more`: how many further accounts there are; `setUp`: Keyway is not set up, and can be from here
 * @typedef {'done' | 'notNow' | 'never'} SetUpOutcome
 * @typedef {'username' | 'password' | 'oneTimeCode'} CredentialField
 * @typedef {{user?: string, password?: string, code?: string, secondsLeft?: number, passkey?:
 *     import('./passkeys.js').Assertion}} FillResult `secondsLeft`: how long the code is good for, where that is known
 * @typedef {'ready' | 'locked'} ProviderState whether it can answer without the person
 * @typedef {{providers: {identifier: string, state: ProviderState}[]}} HostState of the providers that run
 * @typedef {{request: number, provider: string, message: string, command: string}} FillWaiting
 *     the provider needs the person; `command` is what they can type in a terminal
 */
import { parseAssertion } from './passkeys.js';
import { list, oneOf, record, required, ShapeError, text, truth, whole } from './shape.js';

/** The name that the native host is registered under. */
export const hostName = 'org.keyway.autofill';

/** @type {ProtocolVersion} */
export const protocolVersion = Object.freeze({ major: 1, minor: 1 });

/** @type {readonly CredentialField[]} */
export const credentialFields = Object.freeze(['username', 'password', 'oneTimeCode']);

/** @type {readonly ListKind[]} */
const listKinds = Object.freeze(['password', 'passkey', 'oneTimeCode']);

/** The longest period of a code, in seconds. */
const longestPeriod = 86_400;
const suggestionLimit = 100;
const providerLimit = 100;

/** @param {unknown} value @returns {HelloResult} @throws {ShapeError} */
export function parseHelloResult(value) {
    const fields = record(value, 'hello', ['protocol', 'version']);
    const protocol = record(fields.protocol, 'hello.protocol', ['major', 'minor']);
    return {
        protocol: {
            major: whole(protocol.major, 'hello.protocol.major'),
            minor: whole(protocol.minor, 'hello.protocol.minor'),
        },
        version: text(fields.version, 'hello.version', { atMost: 64 }),
    };
}

/** @param {unknown} value @returns {SuggestResult} @throws {ShapeError} */
export function parseSuggestResult(value) {
    const fields = record(value, 'suggest', ['suggestions', 'more', 'providers', 'setUp']);
    if (fields.setUp !== undefined && fields.setUp !== true) throw new ShapeError('suggest.setUp: true or missing');
    return {
        ...(fields.setUp === true ? { setUp: true } : {}),
        suggestions: list(fields.suggestions, 'suggest.suggestions', suggestionLimit, parseSuggestion),
        more: whole(fields.more, 'suggest.more'),
        providers: list(fields.providers, 'suggest.providers', providerLimit, parseListedProvider),
    };
}

/** @param {unknown} value @param {string} place @returns {Suggestion} */
function parseSuggestion(value, place) {
    const fields = record(value, place, ['handle', 'user', 'service', 'provider', 'match', 'kind', 'period']);
    return {
        ...(fields.period === undefined ? {} : { period: parsePeriod(fields.period, `${place}.period`) }),
        handle: text(fields.handle, `${place}.handle`, { atLeast: 1, atMost: 1024 }),
        user: text(fields.user, `${place}.user`),
        service: text(fields.service, `${place}.service`),
        provider: parseProvider(fields.provider, `${place}.provider`),
        match: oneOf(fields.match, `${place}.match`, /** @type {const} */ (['origin', 'host', 'site', 'shared'])),
        kind: oneOf(fields.kind, `${place}.kind`, listKinds),
    };
}

/** @param {unknown} value @param {string} place */
function parsePeriod(value, place) {
    const period = whole(value, place);
    if (period < 1 || period > longestPeriod) throw new ShapeError(`${place}: out of bounds`);
    return period;
}

/** @param {unknown} value @param {string} place @returns {Provider} */
function parseProvider(value, place) {
    const fields = record(value, place, ['identifier', 'name']);
    return {
        identifier: text(fields.identifier, `${place}.identifier`, { atLeast: 1, atMost: 256 }),
        name: text(fields.name, `${place}.name`, { atMost: 256 }),
    };
}

/** @param {unknown} value @param {string} place @returns {ListedProvider} */
function parseListedProvider(value, place) {
    const needed = ['identifier', 'name', 'lists', 'isSilent'];
    const { lists, isSilent, ...provider } = required(value, place, needed);
    const kinds = list(lists, `${place}.lists`, listKinds.length, (element, at) => oneOf(element, at, listKinds));
    return { ...parseProvider(provider, place), lists: kinds, isSilent: truth(isSilent, `${place}.isSilent`) };
}

/**
 * @param {unknown} value
 * @param {readonly CredentialField[]} asked
 * @param {boolean} [takesPasskey] whether the answer may be a passkey's signature instead
 * @returns {FillResult}
 * @throws {ShapeError} also when a field is there that nobody asked for
 */
export function parseFillResult(value, asked, takesPasskey = false) {
    if (takesPasskey && typeof value === 'object' && value !== null && 'passkey' in value) {
        return { passkey: parseAssertion(required(value, 'list', ['passkey']).passkey, 'list.passkey') };
    }
    const names = { username: 'user', password: 'password', oneTimeCode: 'code' };
    const more = asked.includes('oneTimeCode') ? ['secondsLeft'] : [];
    const fields = record(value, 'fill', [...asked.map((field) => names[field]), ...more]);
    /** @type {FillResult} */
    const result = {};
    if (fields.user !== undefined) result.user = text(fields.user, 'fill.user');
    if (fields.password !== undefined) result.password = text(fields.password, 'fill.password', { atMost: 65536 });
    if (fields.code !== undefined) result.code = text(fields.code, 'fill.code', { atLeast: 1, atMost: 1024 });
    if (Object.keys(result).length === 0) throw new ShapeError('fill: empty');
    if (fields.secondsLeft !== undefined) result.secondsLeft = whole(fields.secondsLeft, 'fill.secondsLeft');
    return result;
}

/** @param {unknown} value @returns {HostState} @throws {ShapeError} */
export function parseHostState(value) {
    const fields = required(value, 'state', ['providers']);
    return {
        providers: list(fields.providers, 'state.providers', providerLimit, (element, place) => {
            const { identifier, state } = required(element, place, ['identifier', 'state']);
            return {
                identifier: text(identifier, `${place}.identifier`, { atLeast: 1, atMost: 256 }),
                state: oneOf(state, `${place}.state`, /** @type {const} */ (['ready', 'locked'])),
            };
        }),
    };
}

/** @param {unknown} value @returns {SetUpOutcome} @throws {ShapeError} */
export function parseSetUpResult(value) {
    const { outcome } = required(value, 'setUp', ['outcome']);
    return oneOf(outcome, 'setUp.outcome', /** @type {const} */ (['done', 'notNow', 'never']));
}

/** @param {unknown} value @returns {Provider[]} those that have texts @throws {ShapeError} */
export function parseTextsResult(value) {
    const { providers } = required(value, 'texts', ['providers']);
    return list(providers, 'texts.providers', providerLimit, parseProvider);
}

/** @param {unknown} value @returns {string} @throws {ShapeError} */
export function parseInsertResult(value) {
    return text(required(value, 'insert', ['text']).text, 'insert.text', { atMost: 65536 });
}

/** @param {unknown} value @returns {FillWaiting} @throws {ShapeError} */
export function parseFillWaiting(value) {
    const fields = record(value, 'fill.waiting', ['request', 'provider', 'message', 'command']);
    return {
        request: whole(fields.request, 'fill.waiting.request'),
        provider: text(fields.provider, 'fill.waiting.provider', { atMost: 256 }),
        message: text(fields.message, 'fill.waiting.message', { atMost: 1024 }),
        command: text(fields.command, 'fill.waiting.command', { atMost: 1024 }),
    };
}
