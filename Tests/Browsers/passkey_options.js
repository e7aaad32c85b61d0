/**
 * The table of what a page can give to `navigator.credentials.create` and `get`: each member of each dictionary with each
 * kind of value, and what the function made of it. `test_passkey_options.py` compares what it is in a browser alone with
 * what it is where the extension stands before it.
 */
(() => {
    const missing = Symbol('missing');
    const mine = new Error('thrown by the page');
    const fail = () => {
        throw mine;
    };

    const bytes = () => new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
    const shared = () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer;
    const resizable = () => new ArrayBuffer(8, { maxByteLength: 16 });
    const detached = () => {
        const buffer = new ArrayBuffer(8);
        structuredClone(buffer, { transfer: [buffer] });
        return buffer;
    };
    const revoked = () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
    };
    /** What an iterable gives that is asked for `next` in one of the ways in which that can go wrong. */
    const iterable = (next) => ({ [Symbol.iterator]: () => ({ next }) });
    const countdown = (values) => {
        const left = [...values];
        return iterable(() => (left.length > 0 ? { done: false, value: left.shift() } : { done: true }));
    };

    /** Kinds of values that are the same for each member. */
    const kinds = {
        missing: () => missing,
        undefined: () => undefined,
        null: () => null,
        true: () => true,
        false: () => false,
        zero: () => 0,
        'a number': () => 5,
        'a negative number': () => -7,
        'a fraction': () => 1.5,
        'a large number': () => 2 ** 32 + 7,
        'a huge number': () => 1e300,
        'not a number': () => NaN,
        infinity: () => -Infinity,
        'a large integer': () => 5n,
        'an empty text': () => '',
        'a text': () => 'some text',
        'half a surrogate pair': () => '\ud800',
        'a boxed text': () => new String('some text'),
        'a boxed number': () => new Number(5),
        'a symbol': () => Symbol('x'),
        'a function': () => () => {},
        'a class': () => class {},
        'an object': () => ({}),
        'an object without prototype': () => Object.create(null),
        'an object that fails as text': () => ({ toString: fail }),
        'an object that fails as a number': () => ({ valueOf: fail }),
        'an object that is neither text nor number': () => ({ toString: null, valueOf: null }),
        'an object with a text': () => ({ toString: () => 'some text' }),
        'an object whose members fail': () => new Proxy({}, { get: fail }),
        'an object whose names fail': () => new Proxy({}, { ownKeys: fail }),
        'an object with names': () => ({ a: 1, b: 'c' }),
        'a revoked proxy': revoked,
        'a proxy of a list': () => new Proxy([], {}),
        'a proxy of a function': () => new Proxy(() => {}, {}),
        'a date': () => new Date(0),
        'a regular expression': () => /x/,
        'an error': () => new TypeError('x'),
        'a promise': () => Promise.resolve(5),
        'an element': () => document.body,
        'the window': () => window,
        'document.all': () => document.all,
        'an empty list': () => [],
        'a list of nothing': () => [undefined],
        'a list of null': () => [null],
        'a list with a hole': () => [,], // eslint-disable-line no-sparse-arrays
        'a list of texts': () => ['some text'],
        'a list of numbers': () => [5],
        'a list of symbols': () => [Symbol('x')],
        'a list of lists': () => [[]],
        'a list of objects': () => [{}],
        'a set': () => new Set(),
        'a set of texts': () => new Set(['some text']),
        'a map': () => new Map(),
        'a generator': () => (function* () {})(),
        'something like a list': () => ({ length: 0 }),
        'an iterable without values': () => countdown([]),
        'an iterable of texts': () => countdown(['some text']),
        'an iterable of nothing': () => ({ [Symbol.iterator]: undefined }),
        'an iterable that is null': () => ({ [Symbol.iterator]: null }),
        'an iterable that is a number': () => ({ [Symbol.iterator]: 5 }),
        'an iterable that fails': () => ({ [Symbol.iterator]: fail }),
        'an iterable whose method fails': () => ({ get [Symbol.iterator]() { return fail(); } }),
        'an iterable that gives a number': () => ({ [Symbol.iterator]: () => 5 }),
        'an iterable without next': () => ({ [Symbol.iterator]: () => ({}) }),
        'an iterable whose next fails': () => iterable(fail),
        'an iterable whose next gives a number': () => iterable(() => 5),
        'an iterable whose next gives nothing': () => {
            const steps = [{}, { done: 1 }];
            return iterable(() => steps.shift());
        },
        'an iterable whose done fails': () => iterable(() => ({ get done() { return fail(); } })),
        'an iterable whose value fails': () => iterable(() => ({ done: false, get value() { return fail(); } })),
        'a function with an iterator': () => Object.assign(() => {}, { [Symbol.iterator]: () => [][Symbol.iterator]() }),
        'a buffer': () => bytes().buffer,
        'an empty buffer': () => new ArrayBuffer(0),
        'a long buffer': () => new ArrayBuffer(2000),
        'bytes': bytes,
        'no bytes': () => new Uint8Array(0),
        '64 bytes': () => new Uint8Array(64),
        '65 bytes': () => new Uint8Array(65),
        'a view': () => new DataView(bytes().buffer, 1),
        'large integers': () => new BigInt64Array(2),
        'fractions': () => new Float64Array(2),
        'bytes that make text': () => Object.assign(bytes(), { toString: () => 'some text' }),
        'a detached buffer': detached,
        'a view of a detached buffer': () => {
            const view = bytes();
            structuredClone(view.buffer, { transfer: [view.buffer] });
            return view;
        },
        'a data view of a detached buffer': () => {
            const view = new DataView(new ArrayBuffer(8));
            structuredClone(view.buffer, { transfer: [view.buffer] });
            return view;
        },
        'a shared buffer': shared,
        'a view of a shared buffer': () => new Uint8Array(shared(), 0, 8),
        'a data view of a shared buffer': () => new DataView(shared(), 0, 8),
        'a resizable buffer': resizable,
        'a view of a resizable buffer': () => new Uint8Array(resizable(), 0, 4),
        'a view that grows with its buffer': () => new Uint8Array(resizable()),
        'a data view of a resizable buffer': () => new DataView(resizable()),
        'a view that is out of bounds': () => {
            const buffer = resizable();
            const view = new Uint8Array(buffer, 4, 4);
            buffer.resize(2);
            return view;
        },
        'a buffer whose length is said to be another': () => Object.defineProperty(bytes(), 'byteLength', { value: 3 }),
        'a buffer of another kind by its prototype': () => Object.setPrototypeOf(bytes(), null),
        'what only looks like a buffer': () => Object.create(ArrayBuffer.prototype),
        'what only looks like bytes': () => Object.create(Uint8Array.prototype),
        'a proxy of a buffer': () => new Proxy(bytes(), {}),
        'a buffer of another window': () => new frames[0].Uint8Array([1, 2]).buffer,
        'bytes of another window': () => new frames[0].Uint8Array([1, 2]),
        'a signal': () => new AbortController().signal,
        'a signal that has fired': () => AbortSignal.abort(),
        'a signal that has fired with a reason': () => AbortSignal.abort(mine),
        'a signal of another window': () => new frames[0].AbortController().signal,
        'what only looks like a signal': () => Object.create(AbortSignal.prototype),
        'a proxy of a signal': () => new Proxy(new AbortController().signal, {}),
        'a getter that fails': () => ({ getter: fail }),
    };
    const getters = new Set(['a getter that fails']);

    const words = (...all) => Object.fromEntries(all.map((word) => [`“${word}”`, () => word]));
    const lists = (...all) => Object.fromEntries(all.map((word) => [`“${word}” in a list`, () => [word]]));
    const descriptor = (more) => ({ type: 'public-key', id: bytes(), ...more });
    const descriptors = {
        'a descriptor': () => [descriptor()],
        'descriptors in a set': () => new Set([descriptor()]),
        'descriptors of unknown kinds': () => [descriptor({ type: 'unknown' })],
        'descriptors, one of an unknown kind': () => [descriptor(), descriptor({ type: 'unknown' })],
        'descriptors that begin well': () => [descriptor(), {}],
        '65 descriptors': () => Array.from({ length: 65 }, () => descriptor()),
        'descriptors from an iterable that then fails': () =>
            (function* () {
                yield descriptor();
                fail();
            })(),
    };
    const params = {
        'an algorithm': () => [{ type: 'public-key', alg: -7 }],
        'an algorithm as text': () => [{ type: 'public-key', alg: '-7' }],
        'an unknown algorithm': () => [{ type: 'public-key', alg: -65000 }],
        'an algorithm of an unknown kind': () => [{ type: 'unknown', alg: -7 }],
        'an algorithm that begins well': () => [{ type: 'public-key', alg: -7 }, {}],
        'algorithms in a set': () => new Set([{ type: 'public-key', alg: -7 }]),
    };
    const preference = words('required', 'preferred', 'discouraged', 'Required');
    const party = words('localhost', 'com', 'evil.test', 'other.localhost', 'LOCALHOST', 'localhost:1', 'null', 'undefined');
    const hints = lists('security-key', 'client-device', 'hybrid', 'unknown');
    const salts = {
        'a salt': () => ({ first: bytes() }),
        'two salts': () => ({ first: bytes(), second: bytes() }),
        'the second salt only': () => ({ second: bytes() }),
        'salts, one of them text': () => ({ first: bytes(), second: 'text' }),
        'salts, one of them null': () => ({ first: bytes(), second: null }),
    };
    const perCredential = {
        'salts of a credential': (known) => ({ [known]: { first: bytes() } }),
        'salts of an unknown credential': () => ({ AQID: { first: bytes() } }),
        'salts of no credential': () => ({ '': { first: bytes() } }),
        'salts that are none': (known) => ({ [known]: {} }),
        'salts by a symbol': () => ({ [Symbol('x')]: 5 }),
        'salts that cannot be listed': () => Object.defineProperty({}, 'x', { value: 5 }),
        'salts by what is no base64': () => ({ '!': { first: bytes() } }),
        'salts by padded base64': () => ({ 'AQ==': { first: bytes() } }),
    };
    const policies = ['userVerificationOptional', 'userVerificationOptionalWithCredentialIDList', 'userVerificationRequired'];
    /** The members that both functions have in their extensions, and no dictionary below. */
    const inputs = {
        appid: words('https://localhost/'),
        appidExclude: words('https://localhost/'),
        credBlob: {},
        credProps: {},
        credentialProtectionPolicy: words(...policies),
        enforceCredentialProtectionPolicy: {},
        getCredBlob: {},
        hmacCreateSecret: {},
        largeBlob: {
            'a blob to read': () => ({ read: true }),
            'a blob to write': () => ({ write: bytes() }),
            'a blob to read and write': () => ({ read: true, write: bytes() }),
            'a blob that is not read but written': () => ({ read: false, write: bytes() }),
            'a blob that is not read': () => ({ read: false }),
        },
        'largeBlob.read': {},
        'largeBlob.support': words('required', 'preferred', 'Required'),
        'largeBlob.write': {},
        minPinLength: {},
        prf: { 'salts for all and of one': (known) => ({ eval: { first: bytes() }, evalByCredential: { [known]: { first: bytes() } } }) },
        'prf.eval': salts,
        'prf.eval.first': {},
        'prf.eval.second': {},
        'prf.evalByCredential': perCredential,
        'prf.evalByCredential.*': salts,
        'prf.evalByCredential.*.first': {},
        'prf.evalByCredential.*.second': {},
        uvm: {},
        unknown: {},
    };
    const below = (prefix, members) =>
        Object.fromEntries(Object.entries(members).map(([name, more]) => [`${prefix}.${name}`, more]));
    const anywhere = {
        '': { 'options of nobody': () => ({ unknown: 5 }) },
        mediation: words('optional', 'required', 'silent', 'conditional', 'immediate', 'Optional'),
        signal: {},
        publicKey: {},
        federated: {},
        identity: {},
        otp: {},
        digital: {},
        unknown: {},
    };

    /** Each member of each dictionary, with what only it can be given besides. */
    const members = {
        create: {
            ...anywhere,
            ...below('publicKey', {
                attestation: words('none', 'indirect', 'direct', 'enterprise', 'Direct'),
                attestationFormats: lists('packed', 'none'),
                authenticatorSelection: {},
                'authenticatorSelection.authenticatorAttachment': words('platform', 'cross-platform', 'Platform'),
                'authenticatorSelection.requireResidentKey': {},
                'authenticatorSelection.residentKey': preference,
                'authenticatorSelection.userVerification': preference,
                challenge: {},
                excludeCredentials: descriptors,
                'excludeCredentials.0': {},
                'excludeCredentials.0.id': {},
                'excludeCredentials.0.transports': lists('usb', 'internal', 'unknown'),
                'excludeCredentials.0.type': words('public-key', 'unknown'),
                extensions: {},
                ...below('extensions', inputs),
                hints,
                pubKeyCredParams: params,
                'pubKeyCredParams.0': {},
                'pubKeyCredParams.0.alg': { 'an algorithm as text': () => '-7', 'an algorithm beyond 32 bits': () => 2 ** 31 },
                'pubKeyCredParams.0.type': words('public-key', 'unknown'),
                rp: { 'only a name': () => ({ name: 'Example' }), 'only an ID': () => ({ id: 'localhost' }) },
                'rp.id': party,
                'rp.name': {},
                'rp.icon': {},
                timeout: { 'a number as text': () => '1000' },
                user: {},
                'user.displayName': {},
                'user.id': {},
                'user.name': {},
            }),
        },
        get: {
            ...anywhere,
            password: {},
            uiMode: words('immediate', 'Immediate', 'unknown'),
            ...below('publicKey', {
                allowCredentials: descriptors,
                'allowCredentials.0': {},
                'allowCredentials.0.id': {},
                'allowCredentials.0.transports': lists('usb', 'internal', 'unknown'),
                'allowCredentials.0.type': words('public-key', 'unknown'),
                attestation: words('none', 'direct'),
                attestationFormats: {},
                challenge: {},
                extensions: {},
                ...below('extensions', inputs),
                hints,
                rpId: party,
                timeout: { 'a number as text': () => '1000' },
                userVerification: preference,
            }),
        },
    };
    /** Whole options, of members that are right one by one. */
    const together = (method, change) => (id, known) => {
        const options = base[method]();
        change(options, known);
        return options;
    };
    for (const policy of policies) {
        for (const [residentKey, userVerification] of [['required', 'required'], ['required', 'preferred'], ['preferred', 'required'], ['discouraged', 'required']]) {
            for (const enforceCredentialProtectionPolicy of [true, false]) {
                const name = `${policy} with ${residentKey} and ${userVerification}${enforceCredentialProtectionPolicy ? ', enforced' : ''}`;
                members.create[''][name] = together('create', ({ publicKey }) => {
                    publicKey.authenticatorSelection = { residentKey, userVerification };
                    publicKey.extensions = { credentialProtectionPolicy: policy, enforceCredentialProtectionPolicy };
                });
            }
        }
    }
    Object.assign(members.create[''], {
        'a password too': together('create', (options) => {
            options.password = { id: 'ada', password: 'x', origin: location.origin };
        }),
        'frozen options': together('create', (options) => Object.freeze(Object.freeze(options).publicKey)),
    });
    Object.assign(members.get[''], {
        'a password too': together('get', (options) => (options.password = true)),
        'no password': together('get', (options) => (options.password = false)),
        'one of those named, at once': together('get', (options, { rawId }) => {
            options.uiMode = 'immediate';
            options.publicKey.allowCredentials = [descriptor({ id: rawId })];
        }),
        'one from the menu, at once': together('get', (options) => {
            options.uiMode = 'immediate';
            options.mediation = 'conditional';
        }),
        'frozen options': together('get', (options) => Object.freeze(Object.freeze(options).publicKey)),
        'inherited members': () => Object.create(base.get()),
    });
    // A password that is created is made of a form or a dictionary, and is nothing that we look at.
    members.create.password = {};

    const base = {
        create: () => ({
            signal: new AbortController().signal,
            publicKey: {
                challenge: bytes(),
                rp: { id: 'localhost', name: 'Example' },
                user: { id: bytes(), name: 'ada', displayName: 'Ada' },
                pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
                authenticatorSelection: {},
            },
        }),
        get: () => ({
            signal: new AbortController().signal,
            publicKey: { challenge: bytes(), rpId: 'localhost' },
        }),
    };
    /** Dictionaries that are not in the simplest options, where a member of one of them is given something. */
    const around = {
        'publicKey.excludeCredentials.0': (options) => (options.publicKey.excludeCredentials = [descriptor()]),
        'publicKey.allowCredentials.0': (options, { rawId }) =>
            (options.publicKey.allowCredentials = [descriptor({ id: rawId })]),
        'publicKey.extensions.': (options) => (options.publicKey.extensions = {}),
        'publicKey.extensions.largeBlob.': (options) => (options.publicKey.extensions.largeBlob = {}),
        'publicKey.extensions.prf.': (options) => (options.publicKey.extensions.prf = {}),
        'publicKey.extensions.prf.eval.': (options) => (options.publicKey.extensions.prf.eval = { first: bytes() }),
        'publicKey.extensions.prf.evalByCredential.': (options, { id }) => {
            options.publicKey.extensions.prf.evalByCredential = { [id]: { first: bytes() } };
        },
        // Salts of one are only for a request that names it.
        'publicKey.extensions.prf.evalByCredential': (options, { rawId }) => {
            if (options.publicKey.rpId) options.publicKey.allowCredentials = [descriptor({ id: rawId })];
        },
        'publicKey.extensions.largeBlob.write': (options, { rawId }) => {
            if (options.publicKey.rpId) options.publicKey.allowCredentials = [descriptor({ id: rawId })];
        },
    };

    function optionsWith(method, member, kind, make, known) {
        const options = base[method]();
        for (const [prefix, add] of Object.entries(around)) if (member.startsWith(prefix)) add(options, known);
        const path = member === '' ? [] : member.split('.').map((name) => (name === '*' ? known.id : name));
        const value = make(known.id, known);
        if (path.length === 0) return value === missing ? [] : [getters.has(kind) ? new Proxy({}, { get: fail }) : value];
        const last = path.pop();
        let owner = options;
        for (const name of path) owner = owner[name];
        if (value === missing) delete owner[last];
        else if (getters.has(kind)) Object.defineProperty(owner, last, { get: value.getter });
        else owner[last] = value;
        return [options];
    }

    /** How an error looks to a page; one of its own is to come through as it is. */
    function named(error) {
        if (error === mine) return 'the page’s own error';
        return error instanceof DOMException ? `DOMException ${error.name}` : `${error?.constructor?.name}`;
    }

    const controllers = new WeakMap();
    const Controller = AbortController;
    globalThis.AbortController = class extends Controller {
        constructor() {
            super();
            controllers.set(this.signal, this);
        }
    };

    /** What one call comes to; what waits for somebody is ended after `patience` milliseconds. */
    async function outcome(method, values, patience) {
        let timer;
        try {
            const answer = navigator.credentials[method](...values);
            const waits = new Promise((resolve) => {
                timer = setTimeout(() => resolve('waits'), patience);
            });
            const first = await Promise.race([answer.then(() => 'goes on'), waits]);
            if (first === 'waits') {
                controllers.get(values[0]?.signal)?.abort();
                await Promise.race([answer.catch(() => {}), new Promise((resolve) => setTimeout(resolve, patience))]);
            }
            return first;
        } catch (error) {
            return named(error);
        } finally {
            clearTimeout(timer);
        }
    }

    /** The credential that sign-ins name; made by whoever answers. */
    let known;
    const prepare = async () => {
        if (frames.length === 0) document.body.append(document.createElement('iframe'));
        const { publicKey } = base.create();
        publicKey.authenticatorSelection.residentKey = 'required';
        // A passkey for the same user would take its place.
        publicKey.user.id = new TextEncoder().encode('the one that sign-ins name');
        known = await navigator.credentials.create({ publicKey });
    };

    /** Options with every member there is, which note what is read of them and called on them. */
    function noting(notes, value, path) {
        if (value instanceof Uint8Array || value instanceof AbortSignal) return value;
        if (typeof value === 'object') {
            return new Proxy(value, {
                get(target, name) {
                    notes.push(`${path}.${String(name)}`);
                    const found = target[name];
                    return typeof name === 'symbol' || name === 'length' ? found : noting(notes, found, `${path}.${name}`);
                },
                ownKeys: (target) => (notes.push(`${path} names`), Reflect.ownKeys(target)),
                getOwnPropertyDescriptor: (target, name) => (
                    notes.push(`${path}.${String(name)} property`), Reflect.getOwnPropertyDescriptor(target, name)
                ),
            });
        }
        if (typeof value !== 'string') return value;
        return { toString: () => (notes.push(`${path} text`), value) };
    }

    globalThis.passkeyOptions = {
        prepare,
        members: (method) => Object.keys(members[method]),
        async run(method, member, patience = 1000) {
            if (!known) await prepare();
            const found = {};
            for (const [kind, make] of Object.entries({ ...kinds, ...members[method][member] })) {
                const ask = (limit) => outcome(method, optionsWith(method, member, kind, make, known), limit);
                const first = await ask(patience);
                // A machine that is busy can be slow once.
                const made = first === 'waits' ? await ask(patience * 5) : first;
                // Where time is over at once, the browser had nothing against the options.
                const isOver = member === 'publicKey.timeout' && made === 'DOMException NotAllowedError';
                found[kind] = isOver ? 'goes on' : made;
            }
            return found;
        },
        /** What is read of full options, in order. */
        async reads(method) {
            const notes = [];
            const options = base[method]();
            const { publicKey } = options;
            options.mediation = 'optional';
            Object.assign(publicKey, {
                timeout: 60000,
                hints: ['client-device'],
                attestation: 'none',
                attestationFormats: ['none'],
                userVerification: 'preferred',
                unknown: 'x',
                extensions: { hmacCreateSecret: false, unknown: {}, prf: { eval: { first: bytes(), second: bytes() } } },
            });
            const list = [{ type: 'public-key', id: new Uint8Array(known.rawId), transports: ['internal'], unknown: 5 }];
            if (method === 'get') {
                publicKey.allowCredentials = list;
                publicKey.extensions.prf.evalByCredential = { [known.id]: { first: bytes() } };
                publicKey.extensions.largeBlob = { read: true };
            } else {
                publicKey.excludeCredentials = [{ ...list[0], id: bytes() }];
                publicKey.authenticatorSelection = { residentKey: 'required', userVerification: 'preferred' };
                Object.assign(publicKey.extensions, { credProps: true, largeBlob: { support: 'preferred' } });
            }
            notes.push(await outcome(method, [noting(notes, options, '')], 1000));
            return notes.map((note) => note.replace(known.id, 'ID'));
        },
        /** What storing a new and an old credential comes to. */
        async stored() {
            const old = await navigator.credentials.get(base.get());
            const said = [];
            for (const credential of [known, old]) {
                said.push(await navigator.credentials.store(credential).then(() => 'stored', named));
            }
            return said;
        },
        immediate: () => outcome('get', [{ ...base.get(), uiMode: 'immediate' }], 1000),
    };
})();
