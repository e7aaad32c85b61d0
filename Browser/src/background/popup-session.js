/**
 * The conversation with the extension's own window: what there is for the tab that the person looks at, and to fill what
 * they choose. No secret goes into the window: it goes from the native host to the frame that was looked at.
 *
 * @typedef {import('../protocol/popup.js').Look} LookAnswer
 * @typedef {import('../protocol/popup.js').ShownFrame} ShownFrame
 * @typedef {import('../protocol/host.js').SuggestResult} SuggestResult
 * @typedef {import('./frames.js').Frame} Frame
 * @typedef {import('./requester.js').Requester} Requester
 * @typedef {Pick<import('./native-host.js').NativeHost, 'suggest' | 'fill' | 'list' | 'state' | 'lock'>} PopupHost
 * @typedef {{
 *     host: PopupHost,
 *     desk: Pick<import('./frames.js').FrameDesk, 'look'>,
 *     sites: Pick<import('./sites.js').Sites, 'isOff' | 'turn'>,
 *     tabOf: (number: number) => Promise<chrome.Tab>,
 *     tellState: (state: import('../protocol/host.js').HostState) => void,
 *     pause: (milliseconds: number) => Promise<void>,
 * }} Surroundings `tellState` is told what is known of the locks
 * @typedef {(requester: Requester, codes: boolean) => Promise<SuggestResult>} Ask
 * @typedef {{frame: Frame, requester: Requester, handles: Set<string>, kinds: Map<string, string>}} Offered
 */
import { AnsweringEnd } from '../protocol/answering-end.js';
import { AutoFillError, kindOf } from '../protocol/errors.js';
import { parsePutResult } from '../protocol/frame.js';
import { notification } from '../protocol/jsonrpc.js';
import { fieldsFor, kindFor, parsePopupFill, parsePopupList, parsePopupLock, parsePopupLook, parseTurn } from '../protocol/popup.js';
import { chosenRequesterOf, isOfPage, pageOfTab } from './requester.js';
import { hostOf } from './sites.js';

/** The most addresses of one tab that accounts are asked for: who asks for many at once is stopped by the broker. */
const mostAsked = 8;

/** How long it takes until the locks are looked at again while the person unlocks something, in milliseconds. */
const unlockBeat = 300;

/**
 * Browsers close the window as soon as another one has the focus, such as that in which a provider asks for something: what
 * the person chose is done all the same.
 */
const outliving = ['fill', 'list', 'lock', 'unlock', 'turn'];

export class PopupSession {
    /** @type {Map<number, Offered>} by the number of the frame */
    #offered = new Map();
    /** @type {Frame[]} */
    #frames = [];
    /**
     * Where the person is, as far as providers are asked for it.
     * @type {Requester | undefined}
     */
    #page;
    /**
     * Whose lists there are.
     * @type {Map<string, import('../protocol/host.js').ListKind[]>}
     */
    #lists = new Map();
    /** How many choices are being carried out. */
    #busy = 0;
    #isClosed = false;
    #private = false;
    #end;
    #surroundings;

    /**
     * Answers on `port` until the window is closed.
     * @param {chrome.Port} port
     * @param {Surroundings} surroundings
     */
    static serve(port, surroundings) {
        return new PopupSession(port, surroundings);
    }

    /** @param {chrome.Port} port @param {Surroundings} surroundings */
    constructor(port, surroundings) {
        this.#surroundings = surroundings;
        this.#end = new AnsweringEnd(port, (...asked) => this.#carryOut(...asked), outliving);
        port.onDisconnect.addListener(() => {
            this.#isClosed = true;
            if (this.#busy === 0) this.#letGo();
        });
    }

    /** @param {number} id @param {string} method @param {unknown} params @param {AbortSignal} signal */
    async #carryOut(id, method, params, signal) {
        this.#busy += 1;
        try {
            return await this.#perform(id, method, params, signal);
        } finally {
            this.#busy -= 1;
            if (this.#isClosed && this.#busy === 0) this.#letGo();
        }
    }

    /** @param {number} id @param {string} method @param {unknown} params @param {AbortSignal} signal */
    async #perform(id, method, params, signal) {
        const { host, sites } = this.#surroundings;
        if (method === 'look') return this.#look(parsePopupLook(params).tab, signal);
        if (method === 'unlock') return this.#unlock(id, parsePopupLock(params).provider, signal);
        if (method === 'fill') {
            const { frame, handle } = parsePopupFill(params);
            const offered = this.#chosen(frame);
            const { requester, kinds, frame: { report } } = offered;
            const kind = kinds.get(handle);
            if (kind === undefined) throw new AutoFillError('refused', 'not offered to this frame');
            const fields = fieldsFor(kind, report.fields);
            const values = await host.fill({ ...requester, handle, fields }, this.#options(id, signal));
            return this.#put(offered, values, signal);
        }
        if (method === 'list') {
            const { frame, provider } = parsePopupList(params);
            const offered = this.#chosen(frame);
            const { requester, handles, frame: { report } } = offered;
            if (!handles.has(provider)) throw new AutoFillError('refused', 'not offered to this frame');
            const fields = fieldsFor(kindFor(report.fields), report.fields);
            const values = await host.list({ ...requester, provider, fields }, this.#options(id, signal));
            return this.#put(offered, values, signal);
        }
        if (method === 'lock') {
            await host.lock(parsePopupLock(params), { signal });
            return {};
        }
        if (method === 'turn') {
            const { host: name, isOff } = parseTurn(params);
            // What is kept would tell where the person was.
            if (this.#private) throw new AutoFillError('refused', 'nothing of a private window is kept');
            await sites.turn(name, isOff);
            return {};
        }
        throw new AutoFillError('invalid', 'unknown method');
    }

    /** @param {number} number @param {AbortSignal} signal @returns {Promise<LookAnswer>} */
    async #look(number, signal) {
        const { host, desk, sites, tabOf } = this.#surroundings;
        this.#letGo();
        const tab = await tabOf(number);
        this.#private = tab.incognito;
        const page = pageOfTab(tab);
        this.#page = page;
        if (!page) return { isOff: false, ...(await this.#providers(undefined, signal)), frames: [] };
        const url = new URL(page.url);
        /** @type {LookAnswer} */
        const answer = {
            page: { host: url.hostname, isEncrypted: url.protocol === 'https:', isPrivate: page.private },
            isOff: await sites.isOff(page.url),
            providers: [],
            frames: [],
        };
        if (answer.isOff) return answer;
        const frames = (await desk.look(number)).filter(({ sender }) => isOfPage(sender, tab));
        this.#frames = frames;
        /** @type {Map<string, Promise<SuggestResult>>} */
        const asked = new Map();
        /** @type {Ask} */
        const ask = (requester, codes) => {
            const place = `${codes ? 'codes' : 'accounts'} ${requester.url}`;
            const before = asked.get(place);
            if (before) return before;
            if (asked.size >= mostAsked) return Promise.resolve({ suggestions: [], more: 0, providers: [] });
            const answered = host.suggest({ ...requester, ...(codes ? { codes } : {}) }, { signal });
            asked.set(place, answered);
            return answered;
        };
        const first = frames[0]?.sender.frameId === 0 ? frames[0] : undefined;
        const whole = ask((first && chosen(first)?.requester) || page, first !== undefined && takesCodes(first.report));
        answer.frames = await Promise.all(frames.map((frame, index) => this.#show(frame, index, ask)));
        return { ...answer, ...(await this.#providers(whole, signal)) };
    }

    /**
     * @param {Frame} frame
     * @param {number} number
     * @param {Ask} ask
     * @returns {Promise<ShownFrame>}
     */
    async #show(frame, number, ask) {
        const { requester, isForeign } = chosen(frame) ?? {};
        const { report } = frame;
        const standing = isForeign && report.standing === 'page' ? 'foreign' : report.standing;
        const shown = { ...report, standing, number, host: hostOf(requester?.url) ?? '', suggestions: [], more: 0 };
        if (!requester || standing === 'opaque') return { ...shown, standing: 'opaque' };
        if (report.form !== 'shown' && number > 0) return shown;
        try {
            // A form may take a code beside the password.
            const answers = await Promise.all([
                ...(takesCodes(report) ? [ask(requester, true)] : []),
                ...(takesCodes(report) && !report.fields.includes('password') ? [] : [ask(requester, false)]),
            ]);
            const suggestions = answers.flatMap((answer) => answer.suggestions);
            const more = answers.reduce((sum, answer) => sum + answer.more, 0);
            const { providers } = answers[0];
            // On a page without a form one can still see which accounts there are.
            const takes = report.form === 'shown' ? report.fields : ['username', 'password'];
            const fitting = suggestions.filter(({ kind }) => fieldsFor(kind, takes).length > 0);
            if (report.form === 'shown') {
                this.#offered.set(number, {
                    frame,
                    requester,
                    handles: new Set(providers.map(({ identifier }) => identifier)),
                    kinds: new Map(fitting.map(({ handle, kind }) => [handle, kind])),
                });
            }
            return { ...shown, suggestions: fitting, more };
        } catch {
            return shown; // What stands in the way is said once, for the page.
        }
    }

    /**
     * @param {Promise<SuggestResult> | undefined} answered
     * @param {AbortSignal} signal
     * @returns {Promise<Pick<LookAnswer, 'providers' | 'trouble'>>}
     */
    async #providers(answered, signal) {
        try {
            const [states, answer] = await Promise.all([this.#states(signal), answered]);
            /** @type {import('../protocol/popup.js').ShownProvider[]} */
            const providers = [];
            this.#lists = new Map(answer?.providers.map(({ identifier, lists }) => [identifier, lists]));
            for (const provider of answer?.providers ?? []) {
                const known = states.providers.find(({ identifier }) => identifier === provider.identifier);
                providers.push(known ? { ...provider, state: known.state } : provider);
            }
            return { providers };
        } catch (error) {
            const message = error instanceof AutoFillError ? error.message : '';
            return { providers: [], trouble: { kind: kindOf(error), message } };
        }
    }

    /** @param {AbortSignal} signal */
    async #states(signal) {
        try {
            const state = await this.#surroundings.host.state({ signal });
            this.#surroundings.tellState(state);
            return state;
        } catch (error) {
            if (kindOf(error) !== 'unsupported') throw error;
            return { providers: [] };
        }
    }

    /**
     * A provider is unlocked in its own window, which it shows for its list. Once it says that it is unlocked, the list is
     * taken back: nobody asked for anything in it.
     * @param {number} id
     * @param {string} provider
     * @param {AbortSignal} signal
     */
    async #unlock(id, provider, signal) {
        const page = this.#page;
        const kind = this.#lists.get(provider)?.find((each) => fieldsOfLists[each]);
        if (!page || !kind) throw new AutoFillError('refused', 'this provider has no window to unlock it in');
        const opened = new AbortController();
        const close = () => opened.abort();
        signal.addEventListener('abort', close);
        const over = new AbortController();
        const calling = { ...this.#options(id, signal), signal: opened.signal };
        const listed = this.#surroundings.host.list({ ...page, provider, fields: fieldsOfLists[kind] }, calling).then(
            () => undefined, // What is picked there goes nowhere.
            (error) => error,
        );
        const ended = listed.finally(() => over.abort());
        try {
            while (!over.signal.aborted && !(await this.#isUnlocked(provider, signal))) {
                await Promise.race([ended, this.#surroundings.pause(unlockBeat)]);
            }
        } finally {
            signal.removeEventListener('abort', close);
            close();
        }
        // Whoever closes the window may have unlocked it before.
        const error = over.signal.aborted ? await listed : undefined;
        if (error && !(await this.#isUnlocked(provider, signal))) throw error;
        return {};
    }

    /** @param {string} provider @param {AbortSignal} signal */
    async #isUnlocked(provider, signal) {
        const { providers } = await this.#states(signal);
        return providers.some(({ identifier, state }) => identifier === provider && state === 'ready');
    }

    /** @param {number} number @returns {Offered} @throws {AutoFillError} */
    #chosen(number) {
        const offered = this.#offered.get(number);
        if (!offered) throw new AutoFillError('refused', 'nothing was offered to this frame');
        return offered;
    }

    /**
     * Where it was chosen, and nowhere else: another look may have given that number to another frame meanwhile.
     * @param {Offered} offered
     * @param {import('../protocol/host.js').FillResult} result
     * @param {AbortSignal} signal
     */
    async #put({ frame: { channel } }, { user, password, code }, signal) {
        if (signal.aborted) throw new AutoFillError('cancelled');
        const values = Object.fromEntries(Object.entries({ user, password, code }).filter(([, value]) => value !== undefined));
        const filled = parsePutResult(await channel.call('put', { values }, { signal }));
        if (filled.length === 0) throw new AutoFillError('notFilled');
        return { filled };
    }

    #letGo() {
        for (const { channel } of this.#frames) channel.close(new AutoFillError('disconnected'));
        this.#frames = [];
        this.#offered.clear();
    }

    /** @param {number} id @param {AbortSignal} signal @returns {import('../protocol/channel.js').CallOptions} */
    #options(id, signal) {
        /** @param {import('../protocol/host.js').FillWaiting} waiting */
        const onWaiting = (waiting) => this.#end.send(notification('fill.waiting', { ...waiting, request: id }));
        return { signal, onWaiting };
    }
}

/**
 * What is asked for when a list is shown.
 * @type {Record<string, import('../protocol/host.js').CredentialField[]>}
 */
const fieldsOfLists = { password: ['username', 'password'], oneTimeCode: ['oneTimeCode'] };

/** @param {Frame['report']} report */
function takesCodes({ form, fields }) {
    return form === 'shown' && fields.includes('oneTimeCode');
}

/** @param {Frame} frame @returns {ReturnType<typeof chosenRequesterOf> | undefined} */
function chosen({ sender }) {
    try {
        return chosenRequesterOf(sender);
    } catch {
        return undefined;
    }
}
