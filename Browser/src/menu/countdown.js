/**
 * How long a one-time code is still good for, from its period alone: codes by time change at the same moments for
 * everybody. The code itself is not here, nor anywhere else before it is chosen.
 */

/** Below, a code is about to end, and the next one is given in its place; as the broker has it. In seconds. */
const short = 5;
/** From here on minutes say enough, in seconds. */
const long = 120;

/**
 * @param {number} period in seconds
 * @param {number} now in milliseconds since 1970
 * @returns {{seconds: number, share: number, isShort: boolean}} how many begun seconds the code of that moment is good
 *     for, which share of its life that is, and whether it is about to end
 */
export function lifeOf(period, now) {
    const whole = period * 1000;
    const left = whole - (now % whole);
    const seconds = Math.ceil(left / 1000);
    return { seconds, share: left / whole, isShort: seconds <= short };
}

/**
 * @param {number} seconds
 * @param {string} language
 * @param {'narrow' | 'long'} width to read beside a code, or to be read out
 */
export function timeText(seconds, language, width) {
    const isLong = seconds >= long;
    const unit = isLong ? 'minute' : 'second';
    const count = isLong ? Math.ceil(seconds / 60) : seconds;
    return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: width }).format(count);
}

/** @param {number} now in milliseconds @returns {number} how long it takes until another second has begun */
export function untilNextSecond(now) {
    return 1000 - (now % 1000);
}

/**
 * Beats with the seconds while there is something to count.
 */
export class Beat {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #tick;

    /** @param {(now: number) => void} tick told the time, in milliseconds since 1970 */
    constructor(tick) {
        this.#tick = tick;
    }

    /** @param {boolean} isWanted */
    run(isWanted) {
        clearTimeout(this.#timer);
        this.#timer = isWanted ? setTimeout(() => this.#beat(), untilNextSecond(Date.now())) : undefined;
    }

    #beat() {
        this.#tick(Date.now());
        this.run(true);
    }
}
