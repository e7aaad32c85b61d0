/**
 * The frames of a tab while the person looks at the extension's own window. They are called, and each opens a port of
 * its own: so each is who the browser says, and what is filled goes to the document that was looked at and to no other.
 *
 * @typedef {import('../protocol/frame.js').FrameReport} FrameReport
 * @typedef {import('../protocol/channel.js').Channel} AskingEnd
 * @typedef {{sender: chrome.MessageSender, report: FrameReport, channel: AskingEnd}} Frame
 */
import { Channel } from '../protocol/channel.js';
import { AutoFillError } from '../protocol/errors.js';
import { lookMessage, parseFrameReport } from '../protocol/frame.js';

/** How long the frames may take, in milliseconds: one that is still being loaded, or hangs, is left out. */
const patience = 2000;
/** The most frames of one tab that are heard. */
const most = 100;

export class FrameDesk {
    /** @type {Map<number, Look>} by tab */
    #looks = new Map();
    #call;

    /** @param {(tab: number, message: string) => Promise<unknown>} call says something to all frames of a tab */
    constructor(call) {
        this.#call = call;
    }

    /**
     * @param {number} tab
     * @returns {Promise<Frame[]>} the page itself first; none where the tab shows nothing that can be looked at
     */
    async look(tab) {
        this.#looks.get(tab)?.end();
        const look = new Look();
        this.#looks.set(tab, look);
        // A tab in which nobody listens says so at once.
        this.#call(tab, lookMessage).catch((error) => {
            if (/receiving end does not exist/i.test(String(error))) look.end();
        });
        const timer = setTimeout(() => look.end(), patience);
        const frames = await look.frames;
        clearTimeout(timer);
        if (this.#looks.get(tab) === look) this.#looks.delete(tab);
        return frames;
    }

    /**
     * @param {chrome.Port} port that a frame opened
     * @param {chrome.MessageSender} sender
     * @throws {AutoFillError} `refused` while nobody looks at its tab
     */
    accept(port, sender) {
        const look = this.#looks.get(sender.tab?.id ?? -1);
        if (!look) throw new AutoFillError('refused', 'nobody looks at this tab');
        look.hear(port, sender);
    }
}

/** One look at a tab: over once the page and all of its frames have answered. */
class Look {
    /** @type {Frame[]} */
    #frames = [];
    #heard = 0;
    #isOver = false;
    /** @type {(frames: Frame[]) => void} */
    #resolve = () => {};
    /** @type {Promise<Frame[]>} */
    frames = new Promise((resolve) => {
        this.#resolve = resolve;
    });

    /** @param {chrome.Port} port @param {chrome.MessageSender} sender */
    hear(port, sender) {
        this.#heard += 1;
        if (this.#heard > most) throw new AutoFillError('tooManyRequests');
        /** @type {AskingEnd} */
        const channel = new Channel(port, () => this.#forget(channel), () => new AutoFillError('disconnected'));
        channel.call('look', {}).then(
            (answer) => this.#add({ sender, report: parseFrameReport(answer), channel }),
            () => {},
        ).catch(() => channel.close(new AutoFillError('protocolViolation')));
    }

    /** @param {Frame} frame */
    #add(frame) {
        if (this.#isOver) return frame.channel.close(new AutoFillError('disconnected'));
        if (frame.sender.frameId === 0) this.#frames.unshift(frame);
        else this.#frames.push(frame);
        const page = this.#frames[0];
        if (page.sender.frameId === 0 && this.#frames.length > page.report.frames) this.end();
    }

    /** @param {AskingEnd} channel */
    #forget(channel) {
        this.#frames = this.#frames.filter((frame) => frame.channel !== channel);
    }

    end() {
        this.#isOver = true;
        this.#resolve(this.#frames);
    }
}
