/**
 * What the detection knows, as three tables of rules. Each rule that holds gives its points to what it speaks for; the
 * sums decide (`classify.js`). No rule knows a site, and each has its reason. `Docs/forms.md` shows the tables.
 *
 * @typedef {import('./facts.js').FieldFacts} FieldFacts
 * @typedef {import('./facts.js').FormFacts} FormFacts
 * @typedef {import('./facts.js').Nature} Nature
 * @typedef {import('./facts.js').Kind} Kind
 */

/** The points of a rule. There are only these, also with a minus. */
export const certain = 16;
export const strong = 4;
export const fair = 2;
export const slight = 1;

/**
 * @template Facts
 * @template {string} Verdict
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} looks what it looks at
 * @property {Verdict} says what it speaks for
 * @property {number} points
 * @property {string} why
 * @property {(facts: Facts) => boolean} holds
 */

/** Tokens of `autocomplete` that ask for data of the person or of a payment. */
const personalData =
    /^(?:name|(?:given|family|additional)-name|honorific|nickname|organization|street|address|postal|country|cc-|bday|sex|language|url|photo|transaction)/;

/** @param {FieldFacts} field whether a label says something that tells who the person is */
const tellsWho = (field) => field.label('userName') || field.label('identityNumber') || field.label('mail');

/** @param {FormFacts} form whether anything around its fields speaks of a code that was sent or made for it */
const asksForCode = (form) =>
    form.announces('verify') || form.text('verify') || form.name('verify') || form.around('verify');

/** @param {FormFacts} form whether one of its buttons has a code sent */
const sendsCode = (form) => form.button('sendCode') || form.otherButtons('sendCode');

/** @param {FieldFacts} field whether the author alone calls it a captcha, and no picture stands beside it */
const isOnlyNamedCaptcha = (field) => !field.label('captcha') && field.label('code') && !field.description.hasPicture;

/** @param {FieldFacts} field whether it is called a token */
const isToken = ({ description }) => /(?:^| )(?:token|jeton|токен|トークン|令牌|토큰)(?: |$)/.test(`${description.labels} ${description.names}`);

/** @param {FormFacts} form whether anything around its fields speaks of a new account */
const signsUp = (form) => form.announces('signUp') || form.name('signUp') || form.around('signUp');

/** @param {FormFacts} form whether a forgotten password is replaced with it */
const recovers = (form) =>
    form.announces('forgotten') || form.announces('change') || form.fields.some((field) => field.isPassword);

/**
 * @param {FieldFacts} field
 * @returns {boolean} whether another field is the name that the person chose, so that a mail address is only that
 */
const besideChosenName = (field) =>
    !isChosenName(field) &&
    field.form.fields.some((other) => other !== field && other.nature === 'identifier' && isChosenName(other));

/** @param {FieldFacts} field */
const isAnyMail = (field) => field.told('mail') || field.purpose === 'email' || field.description.type === 'email';

/** @param {FieldFacts} field whether it takes another mail address or user name than the account has so far */
const isNewName = (field) =>
    field.form.kind !== 'signUp' &&
    field.form.kind !== 'checkout' &&
    ((field.told('mail') && field.told('fresh')) || (field.label('userName') && field.label('fresh')));

/** “New”, and no other word of what is chosen: who signs up chooses a mail address as well. */
const calledNew = /(?:^| )(?:new|neue|nouvelle|nuovo|nueva|nuevo|novo|nieuw|nowy|ny|nytt|nya)(?: |$)/;

/** @param {FieldFacts} field */
const isChosenName = (field) => field.label('chosenName') && !field.label('mail') && !field.told('stranger');

/**
 * @param {FieldFacts} field
 * @returns {boolean} whether it asks for no more than a “name”, and the only password comes next
 */
const isNameOfAccount = ({ form, index, isPassword, label }) =>
    !isPassword &&
    label('bareName') &&
    form.fields[index + 1]?.isPassword === true &&
    !form.fields[index + 1]?.told('fresh') &&
    form.fields.every((other) => other.index === index || (other.isPassword ? other.index === index + 1 : !tellsWho(other)));

/** @param {FormFacts} form whether the form itself speaks of signing in */
const signsIn = (form) => form.button('signIn') || form.buttonName('signIn') || form.name('signIn') || form.heading('signIn');

/** @param {FormFacts} form whether it, or the page around it, speaks of signing in */
const speaksOfSigningIn = (form) => signsIn(form) || form.announces('signIn');

/** @param {FormFacts} form whether what is typed is kept by the site, and nobody gets in with it */
const keepsSettings = (form) =>
    (form.button('save') && !form.button('signIn')) || form.description.buttons.some(({ text }) => connectsSomething.test(text));

/** What a button says that connects the site to something else; “se connecter” is to sign in. */
const connectsSomething =
    /^(?:connect|connecter|verbinden|conectar|connetti|collega|polacz|pripojit|anslut|forbind|koble til|yhdista|baglan|подключить|连接|連接|接続|연결)$/;

/**
 * @param {FormFacts} form
 * @returns {boolean} whether a button saves or adds something that has passwords, and neither opens nor changes an account here
 */
const isForSomethingElse = (form) =>
    (form.button('save') || form.button('add')) &&
    !signsIn(form) &&
    !form.announces('signUp') &&
    !form.announces('change') &&
    !form.fields.some((field) => isAnyMail(field) || field.told('fresh') || field.told('current') || field.told('repeat')) &&
    !form.fields.some(({ purpose }) => /^(?:username|current-password)$/.test(purpose));

/** @param {FormFacts} form whether something is made that has a password, and nothing speaks of an account or of a person */
const makesSomethingElse = (form) =>
    form.button('add') &&
    !signsIn(form) &&
    !form.announces('account') &&
    !form.text('account') &&
    !form.fields.some((field) => tellsWho(field) || field.told('fresh') || field.told('repeat') || field.told('telephone'));

/** @param {FormFacts} form whether its button says something, and neither “go on” nor what people do with accounts */
const doesSomethingElse = (form) =>
    form.description.buttons.some(({ text }) => /\p{L}{3}/u.test(text)) && !form.button('send') && !form.button('next');

/** @param {FormFacts} form whether anything in it or around it speaks of an account */
const speaksOfAccounts = (form) =>
    /** @type {const} */ (['signIn', 'signUp', 'change', 'forgotten', 'account', 'purchase']).some(
        (topic) => form.announces(topic) || form.name(topic) || form.around(topic) || form.text(topic) || form.buttonName(topic),
    ) ||
    /** @type {const} */ (['forgotten', 'noAccount', 'member', 'remember']).some((topic) => form.offers(topic)) ||
    asksForCode(form) ||
    form.fields.some((field) => isAnyMail(field) || field.told('current') || field.told('repeat') || /password|username/.test(field.purpose));

/** @param {string} one @param {string} other names, normalised */
const isNumberedLike = (one, other) => one.replace(/\d+/g, '') === other.replace(/\d+/g, '');

/** @param {FieldFacts} field */
const isBesideReference = (field) =>
    field.form.fields.some((other) => other !== field && !other.isPassword && other.told('reference'));

/**
 * @param {FieldFacts} field
 * @returns {boolean} whether a server, a network or a database is named beside it, and nobody signs in here
 */
const isOfAnotherService = (field) =>
    !/^(?:username|current-password)$/.test(field.purpose) &&
    field.form.fields.some((other) => !other.isPassword && (other.told('service') || other.description.labels === 'url')) &&
    (keepsSettings(field.form) || !speaksOfSigningIn(field.form));

/** @param {FieldFacts} field whether a mail address or a name that a person chose is asked for beside it */
const hasNameOfPerson = (field) =>
    field.form.fields.some((other) => other !== field && (other.told('mail') || other.label('chosenName')));

/**
 * @param {FieldFacts} field
 * @returns {boolean} whether what the form is for has a secret of its own; where only its text says so, the field must not be
 *     called a password
 */
const isAboutThing = (field) =>
    field.form.button('thing') ||
    field.form.heading('thing') ||
    (!field.label('password') && ['page', 'lead', 'name', 'text'].some((place) => field.form[/** @type {'page'} */ (place)]('thing')));

/** @param {FormFacts} form */
const asksForCard = (form) => form.fields.some((field) => field.told('card'));

/**
 * What is typed into a field, from the field and its neighbours.
 * @type {Rule<FieldFacts, Nature>[]}
 */
export const fieldRules = [
    {
        name: 'says-code',
        looks: 'autocomplete',
        says: 'code',
        points: certain,
        why: 'the author says outright that it takes a one-time code, and the person reads nothing else',
        holds: (field) => field.purpose === 'one-time-code' && (field.label('code') || !(field.label('userName') || field.label('password'))),
    },
    {
        name: 'says-user-name',
        looks: 'autocomplete',
        says: 'identifier',
        points: certain,
        why: 'the author says outright that it takes a user name',
        holds: (field) => !field.isPassword && field.purpose === 'username',
    },
    {
        name: 'says-mail',
        looks: 'autocomplete',
        says: 'identifier',
        points: strong,
        why: 'a mail address is what most accounts are called',
        holds: (field) => !field.isPassword && field.purpose === 'email',
    },
    {
        name: 'says-password',
        looks: 'autocomplete',
        says: 'secret',
        points: certain,
        why: 'the author says outright that it takes a password',
        holds: (field) => field.isPassword && field.purpose === 'current-password',
    },
    {
        name: 'says-new-password',
        looks: 'autocomplete',
        says: 'secret',
        points: strong,
        why: 'written for new passwords, and as well to keep managers away from keys and tokens',
        holds: (field) => field.isPassword && field.purpose === 'new-password',
    },
    {
        name: 'says-personal-data',
        looks: 'autocomplete',
        says: 'other',
        points: certain,
        why: 'the author says outright that it takes a name, an address or a card',
        holds: (field) => personalData.test(field.purpose),
    },
    {
        name: 'hides-what-is-typed',
        looks: 'type',
        says: 'secret',
        points: fair,
        why: 'a field of type password usually takes one, but cards and identity numbers are hidden as well',
        holds: (field) => field.isPassword,
    },
    {
        name: 'hides-beside-a-name',
        looks: 'shape',
        says: 'secret',
        points: fair,
        why: 'the only hidden field beside one that tells who you are is the password, even when it is called a code',
        holds: ({ isPassword, isBox, form }) =>
            isPassword &&
            !isBox &&
            form.fields.filter((other) => other.isPassword).length === 1 &&
            form.fields.some((other) => !other.isPassword && (other.told('userName') || other.told('mail'))),
    },
    {
        name: 'read-as-password',
        looks: 'labels',
        says: 'secret',
        points: fair,
        why: 'the person reads that a password goes there',
        holds: (field) => field.isPassword && field.label('password'),
    },
    {
        name: 'named-as-password',
        looks: 'names',
        says: 'secret',
        points: slight,
        why: 'the author calls it a password',
        holds: (field) => field.isPassword && field.name('password'),
    },
    {
        name: 'shows-a-password',
        looks: 'labels, names, type',
        says: 'other',
        points: strong,
        why: 'a password that everybody can read is none of ours to fill, and no user name either',
        holds: (field) =>
            !field.isPassword &&
            (field.label('password') || field.name('password')) &&
            !field.told('userName') &&
            !field.told('mail') &&
            !field.told('code'),
    },
    {
        name: 'read-as-user-name',
        looks: 'labels',
        says: 'identifier',
        points: strong,
        why: 'the person reads that an account or customer number goes there',
        holds: (field) => !field.isPassword && (field.label('userName') || field.label('identityNumber')),
    },
    {
        name: 'name-of-an-account',
        looks: 'labels, shape',
        says: 'identifier',
        points: fair,
        why: 'just “name”, right above the only password and beside nothing else, is that of the account',
        holds: isNameOfAccount,
    },
    {
        name: 'named-as-user-name',
        looks: 'names',
        says: 'identifier',
        points: fair,
        why: 'the author calls it a user or an account',
        holds: (field) => !field.isPassword && field.name('userName'),
    },
    {
        name: 'read-as-mail',
        looks: 'labels',
        says: 'identifier',
        points: strong,
        why: 'the person reads that a mail address goes there',
        holds: (field) => !field.isPassword && field.label('mail'),
    },
    {
        name: 'named-as-mail',
        looks: 'names',
        says: 'identifier',
        points: fair,
        why: 'the author calls it a mail address',
        holds: (field) => !field.isPassword && field.name('mail'),
    },
    {
        name: 'takes-mail',
        looks: 'type',
        says: 'identifier',
        points: strong,
        why: 'the browser lets nothing but a mail address through',
        holds: (field) => field.description.type === 'email',
    },
    {
        name: 'read-as-phone',
        looks: 'labels, names',
        says: 'identifier',
        points: fair,
        why: 'where people go by their phone, its number is the user name',
        holds: (field) => !field.isPassword && (field.told('telephone') || field.purpose === 'tel'),
    },
    {
        name: 'says-nothing',
        looks: 'type',
        says: 'identifier',
        points: slight,
        why: 'a plain text field may be the user name; its place has to tell',
        holds: (field) => /^(?:text|tel|number)?$/.test(field.description.type),
    },
    {
        name: 'read-as-personal',
        looks: 'labels',
        says: 'other',
        points: strong,
        why: 'names, addresses and dates of birth are no user names',
        holds: (field) => !field.isPassword && field.label('personal') && !tellsWho(field) && !isNameOfAccount(field),
    },
    {
        name: 'named-as-personal',
        looks: 'names',
        says: 'other',
        points: fair,
        why: 'the author calls it a name or an address',
        holds: (field) => !field.isPassword && field.name('personal') && !tellsWho(field) && !isNameOfAccount(field),
    },
    {
        name: 'read-as-other',
        looks: 'labels',
        says: 'other',
        points: strong,
        why: 'amounts, subjects and questions are no user names',
        holds: (field) => !field.isPassword && field.label('other') && !tellsWho(field),
    },
    {
        name: 'number-of-a-booking',
        looks: 'labels, names',
        says: 'other',
        points: strong,
        why: 'what was booked or ordered has a number of its own, which is no user name',
        holds: (field) => !field.isPassword && field.told('reference') && !tellsWho(field),
    },
    {
        name: 'stands-for-a-password',
        looks: 'names, type',
        says: 'other',
        points: certain,
        why: 'a field that shows the word “password” until it is touched, and makes way for the real one, takes nothing',
        holds: (field) =>
            !field.isPassword &&
            field.name('password') &&
            /(?:^| )(?:hint|placeholder|fake|dummy|clear|text)(?: |$)/.test(field.description.names) &&
            !tellsWho(field),
    },
    {
        name: 'named-as-other',
        looks: 'names',
        says: 'other',
        points: fair,
        why: 'the author calls it an amount, a subject or a question',
        holds: (field) => !field.isPassword && field.name('other') && !tellsWho(field),
    },
    {
        name: 'searches',
        looks: 'labels, names, classes',
        says: 'other',
        points: certain,
        why: 'what is searched for, users included, is not who signs in',
        holds: (field) => !field.isPassword && (field.told('search') || field.look('search')),
    },
    {
        name: 'confirms-something',
        looks: 'labels, names',
        says: 'other',
        points: fair,
        why: 'what confirms a step, and is neither name nor mail address, is a word to be typed',
        holds: (field) => !field.isPassword && field.told('repeat') && !tellsWho(field) && !field.told('code'),
    },
    {
        name: 'takes-something-else',
        looks: 'type',
        says: 'other',
        points: certain,
        why: 'an address of a page or a search is nobody’s user name',
        holds: (field) => /^(?:url|search)$/.test(field.description.type),
    },
    {
        name: 'read-as-code',
        looks: 'labels',
        says: 'code',
        points: strong,
        why: 'the person reads that a one-time code goes there',
        holds: (field) => field.label('code') && (!field.isPassword || asksForCode(field.form) || field.form.fields.length > 1),
    },
    {
        name: 'named-as-code',
        looks: 'names, classes',
        says: 'code',
        points: fair,
        why: 'the author calls it a one-time code',
        holds: (field) => field.name('code') || field.look('code'),
    },
    {
        name: 'code-where-one-is-asked-for',
        looks: 'labels, names, texts',
        says: 'code',
        points: strong,
        why: 'just “code” is a one-time code where the page speaks of verifying or of a message',
        holds: (field) =>
            !field.isPassword &&
            (field.told('bareCode') || (field.description.isDigits && /^[4-8]$/.test(`${field.description.maxLength}`))) &&
            !field.told('telephone') &&
            (asksForCode(field.form) || sendsCode(field.form)),
    },
    {
        name: 'boxes-of-a-code',
        looks: 'shape, texts',
        says: 'code',
        points: certain,
        why: 'four or more boxes of one character, where a code is spoken of, are one code',
        holds: (field) =>
            field.isBox &&
            (asksForCode(field.form) || field.form.fields.some((other) => other.isBox && (other.told('code') || other.look('code')))),
    },
    {
        name: 'code-that-is-hidden',
        looks: 'labels, names, shape, texts',
        says: 'code',
        points: strong,
        why: 'one-time codes are hidden as well, where the field is called one and the page speaks of one',
        holds: (field) =>
            field.isPassword &&
            field.told('code') &&
            !field.label('password') &&
            field.form.fields.length === 1 &&
            asksForCode(field.form),
    },
    {
        name: 'code-after-a-password',
        looks: 'labels, order',
        says: 'code',
        points: strong,
        why: 'a hidden passcode or token that is asked for after the password is a one-time code',
        holds: (field) =>
            field.isPassword &&
            field.label('code') &&
            field.form.fields.some((other) => other.index < field.index && other.isPassword && !other.told('code')),
    },
    {
        name: 'token-that-stays',
        looks: 'labels, names, shape',
        says: 'secret',
        points: certain,
        why: 'a token that is hidden and asked for alone, where nothing speaks of verifying, is the password',
        holds: (field) =>
            field.isPassword &&
            isToken(field) &&
            field.form.fields.length === 1 &&
            !asksForCode(field.form),
    },
    {
        name: 'token-of-something',
        looks: 'labels, names, shape',
        says: 'other',
        points: certain,
        why: 'a hidden token beside other fields, where nobody signs in or verifies, is that of a program',
        holds: (field) =>
            field.isPassword &&
            isToken(field) &&
            field.form.fields.length > 1 &&
            !asksForCode(field.form) &&
            !speaksOfSigningIn(field.form) &&
            !field.form.fields.some((other) => other !== field && tellsWho(other)),
    },
    {
        name: 'words-of-a-phrase',
        looks: 'names, shape',
        says: 'other',
        points: certain,
        why: 'four hidden fields that are called alike but for their number take parts of one thing',
        holds: ({ form, isPassword, description }) =>
            isPassword &&
            /\d/.test(description.names) &&
            !form.fields.some((other) => other.isPassword && (other.label('current') || other.label('fresh') || other.label('repeat'))) &&
            form.fields.filter((other) => other.isPassword && isNumberedLike(other.description.names, description.names)).length >= 4 &&
            !asksForCode(form),
    },
    {
        name: 'part-of-a-secret',
        looks: 'labels, length',
        says: 'other',
        points: certain,
        why: 'single characters of something memorable are asked for by place, not filled as a whole',
        holds: (field) =>
            field.description.maxLength === 1 &&
            (field.told('partial') || field.told('secretOther')) &&
            !field.told('code'),
    },
    {
        name: 'one-hidden-character',
        looks: 'type, length, texts',
        says: 'other',
        points: certain,
        why: 'no password has one character; where no one-time code is asked for, it is asked for by place',
        holds: (field) =>
            field.isPassword && field.description.maxLength === 1 && !field.told('code') && !asksForCode(field.form),
    },
    {
        name: 'picture-to-read',
        looks: 'labels, names, neighbours',
        says: 'other',
        points: certain,
        why: 'letters that are read off a picture are no one-time code',
        holds: (field) =>
            ((!field.isPassword || field.name('captcha')) && field.told('captcha') && !(isOnlyNamedCaptcha(field) && sendsCode(field.form))) ||
            (!field.isPassword && field.description.hasPicture && (field.told('code') || field.told('bareCode'))),
    },
    {
        name: 'code-beside-a-password',
        looks: 'labels, names, length, shape',
        says: 'other',
        points: strong,
        why: 'in Chinese, letters of a picture and codes of a message share a word; beside a password it is the picture, unless six characters are asked for and there is none',
        holds: ({ form, isPassword, ...field }) =>
            !isPassword &&
            /验证码|驗證碼|校验码/.test(field.description.labels) &&
            !/短信|手机|手機|簡訊|动态|双重|两步|兩步|验证器|驗證器|authenticator|sms/.test(`${field.description.labels} ${field.description.names}`) &&
            !(field.description.maxLength === 6 && !field.description.hasPicture) &&
            !sendsCode(form) &&
            form.fields.some((other) => other.isPassword),
    },
    {
        name: 'code-of-another-kind',
        looks: 'labels, names',
        says: 'other',
        points: certain,
        why: 'codes of coupons, countries, cards, parcels and backups are no one-time codes',
        holds: (field) =>
            field.told('notCode') &&
            !tellsWho(field) &&
            !field.name('mail') &&
            (field.told('bareCode') || field.told('code')) &&
            !/one ?time|otp|2fa|reader/.test(`${field.description.labels} ${field.description.names}`),
    },
    {
        name: 'code-of-a-card',
        looks: 'labels, names, shape',
        says: 'other',
        points: certain,
        why: 'beside a card’s number, the security code is the card’s',
        holds: (field) =>
            (field.isPassword || field.told('code') || field.told('bareCode')) &&
            field.description.maxLength !== 1 &&
            asksForCard(field.form) &&
            !field.told('password') &&
            !tellsWho(field) &&
            field.form.announces('purchase'),
    },
    {
        name: 'secret-of-a-booking',
        looks: 'labels, names, shape',
        says: 'other',
        points: certain,
        why: 'who booked or ordered without an account looks it up with a code, PIN or password of that order',
        holds: (field) =>
            (field.isPassword || field.told('code') || field.told('bareCode')) &&
            isBesideReference(field) &&
            !signsIn(field.form) &&
            (!field.told('password') || (!field.form.announces('signUp') && !hasNameOfPerson(field))),
    },
    {
        name: 'secret-of-a-thing',
        looks: 'labels, names, texts, shape',
        says: 'other',
        points: certain,
        why: 'gift cards, SIM cards, meetings, devices, programs, files and networks have secrets of their own, and nobody signs in with them',
        holds: (field) =>
            (field.isPassword || (field.purpose !== 'one-time-code' && (field.told('code') || field.told('bareCode')))) &&
            !signsIn(field.form) &&
            !hasNameOfPerson(field) &&
            (field.isPassword ? isAboutThing(field) : field.form.announces('device') || field.form.text('device')),
    },
    {
        name: 'password-of-a-message',
        looks: 'shape',
        says: 'other',
        points: certain,
        why: 'a password beside a text of several lines, where nobody signs in, is that of the text',
        holds: (field) =>
            field.form.description.hasMessage &&
            field.form.fields.filter((other) => other.isPassword).length === 1 &&
            !speaksOfSigningIn(field.form) &&
            !field.form.announces('signUp') &&
            !field.form.announces('purchase') &&
            (field.isPassword || !tellsWho(field)),
    },
    {
        name: 'does-something-else',
        looks: 'button, texts',
        says: 'other',
        points: certain,
        why: 'a button with a deed of its own, where nothing at all speaks of an account, uses the password for that',
        holds: (field) =>
            (field.isPassword || field.told('userName')) && doesSomethingElse(field.form) && !speaksOfAccounts(field.form),
    },
    {
        name: 'never-called-a-password',
        looks: 'labels, names, texts',
        says: 'other',
        points: certain,
        why: 'a hidden field alone, where nothing speaks of a password, of signing in or of verifying, may take anything',
        holds: (field) =>
            field.isPassword &&
            field.form.fields.length === 1 &&
            !field.told('password') &&
            !isToken(field) &&
            !/password/.test(field.purpose) &&
            !speaksOfSigningIn(field.form) &&
            !asksForCode(field.form),
    },
    {
        name: 'of-another-service',
        looks: 'labels, names, shape',
        says: 'other',
        points: certain,
        why: 'beside the name of a server, a network or a database, user and password are those of that one',
        holds: isOfAnotherService,
    },
    {
        name: 'kept-by-the-site',
        looks: 'button, shape',
        says: 'other',
        points: certain,
        why: 'a name, passwords or a code that are saved or added, and open no account here, are for something else',
        holds: (field) =>
            field.told('code') && !field.isPassword
                ? keepsSettings(field.form) && field.form.fields.length > 2 && !field.form.fields.some((other) => other.isPassword)
                : (isForSomethingElse(field.form) || makesSomethingElse(field.form)) && (field.isPassword || field.told('userName')),
    },
    {
        name: 'code-of-a-mail-address',
        looks: 'labels, names, texts',
        says: 'other',
        points: certain,
        why: 'what was mailed to prove an address is in no account; what was mailed to set a new password is a code like others',
        holds: (field) =>
            field.purpose !== 'one-time-code' &&
            (field.told('code') || field.told('bareCode')) &&
            ((field.told('mail') && (signsUp(field.form) || !recovers(field.form))) || (field.form.page('signUp') && /mail|@/.test(`${field.form.description.lead} ${field.form.description.text}`))),
    },
    {
        name: 'secret-of-another-kind',
        looks: 'labels, names',
        says: 'other',
        points: certain,
        why: 'answers, identity numbers and numbers of cards are hidden like passwords and are none',
        holds: (field) =>
            field.isPassword &&
            ((field.description.isHidden && field.name('trap')) ||
                field.label('secretOther') ||
                ((field.name('secretOther') || (field.label('identityNumber') && !signsIn(field.form))) && !field.label('password'))),
    },
];

/** @param {FormFacts} form */
const withoutSecret = (form) => !form.hasSecret;

/**
 * @param {FormFacts} form
 * @returns {number} how many fields ask for something that no sign-in asks for; pictures, country codes and searches may
 *     stand anywhere
 */
const others = (form) =>
    form.having('other').filter((field) => !['captcha', 'notCode', 'search'].some((topic) => field.told(/** @type {'captcha'} */ (topic)))).length;

/** @param {FormFacts} form whether an old password stands beside a new one */
const changesPassword = ({ secrets }) => {
    if (secrets.length < 2) return false;
    if (secrets.some((field) => field.told('current'))) return secrets.some((field) => !field.told('current'));
    const [first, ...later] = secrets;
    return !isFresh(first) && later.some((field) => isFresh(field) && !field.isRepetition);
};

/** @param {FieldFacts | undefined} field */
const isFresh = (field) => field?.told('fresh') === true;

/** @param {FormFacts} form */
const repeatsPassword = (form) => form.secrets.some((field) => field.isRepetition);

/**
 * What a form is for, from its fields and what stands around them.
 * @type {Rule<FormFacts, Kind>[]}
 */
export const formRules = [
    {
        name: 'button-signs-in',
        looks: 'button',
        says: 'signIn',
        points: strong,
        why: 'the button says what sending the form does',
        holds: (form) => form.button('signIn') && !form.button('signUp'),
    },
    {
        name: 'button-called-sign-in',
        looks: 'button',
        says: 'signIn',
        points: fair,
        why: 'the author calls the button so',
        holds: (form) => form.buttonName('signIn') && !form.buttonName('signUp') && !form.button('signUp'),
    },
    {
        name: 'form-called-sign-in',
        looks: 'names of the form',
        says: 'signIn',
        points: fair,
        why: 'the author calls the form, or what it is sent to, so',
        holds: (form) => form.name('signIn'),
    },
    {
        name: 'heading-signs-in',
        looks: 'heading',
        says: 'signIn',
        points: fair,
        why: 'the heading says what the form is for',
        holds: (form) => form.heading('signIn'),
    },
    {
        name: 'lead-signs-in',
        looks: 'text above, names around',
        says: 'signIn',
        points: slight,
        why: 'the page around speaks of signing in, perhaps of another form',
        holds: (form) => form.lead('signIn') || form.around('signIn'),
    },
    {
        name: 'page-signs-in',
        looks: 'page',
        says: 'signIn',
        points: slight,
        why: 'title and path of the page are about all of its forms',
        holds: (form) => form.page('signIn'),
    },
    {
        name: 'forgotten-password',
        looks: 'links',
        says: 'signIn',
        points: fair,
        why: 'only who has a password can have forgotten it',
        holds: (form) => form.hasSecret && (form.offers('forgotten') || form.otherButtons('forgotten')),
    },
    {
        name: 'asks-who-has-none',
        looks: 'texts, text below',
        says: 'signIn',
        points: fair,
        why: 'only a sign-in asks whether you have no account yet',
        holds: (form) => form.hasSecret && form.offers('noAccount') && !form.heading('noAccount'),
    },
    {
        name: 'heading-of-members',
        looks: 'heading',
        says: 'signIn',
        points: fair,
        why: '“already registered?” above a form is said to those who are',
        holds: (form) => form.heading('member') && !form.heading('signUp'),
    },
    {
        name: 'remembers-person',
        looks: 'check boxes',
        says: 'signIn',
        points: fair,
        why: 'staying signed in is offered to people who sign in',
        holds: (form) => form.text('remember'),
    },
    {
        name: 'says-current-password',
        looks: 'autocomplete',
        says: 'signIn',
        points: strong,
        why: 'the author says outright that the password exists already',
        holds: (form) => form.secrets.some(({ purpose }) => purpose === 'current-password'),
    },
    {
        name: 'name-and-password',
        looks: 'shape',
        says: 'signIn',
        points: fair,
        why: 'one password and hardly anything else is the shape of a sign-in',
        holds: (form) =>
            form.secrets.length === 1 &&
            !isFresh(form.secrets[0]) &&
            form.having('identifier').length <= 2 &&
            others(form) === 0,
    },
    {
        name: 'password-comes-later',
        looks: 'shape',
        says: 'signIn',
        points: fair,
        why: 'a password field that is hidden behind a name is the next step',
        holds: (form) => form.hidesSecrets && form.secrets.length === 1 && others(form) === 0,
    },
    {
        name: 'takes-passkeys',
        looks: 'autocomplete',
        says: 'signIn',
        points: strong,
        why: 'passkeys are offered to people who sign in',
        holds: (form) => form.fields.some(({ description }) => description.autocomplete.includes('webauthn')),
    },
    {
        name: 'says-user-name-alone',
        looks: 'autocomplete, shape',
        says: 'signIn',
        points: fair,
        why: 'a lone field that the author says takes a user name is the first step',
        holds: (form) => withoutSecret(form) && form.fields.length <= 2 && form.fields.some(({ purpose }) => purpose === 'username'),
    },
    {
        name: 'field-called-sign-in',
        looks: 'names of fields',
        says: 'signIn',
        points: fair,
        why: 'the author calls the field so',
        holds: (form) =>
            withoutSecret(form) &&
            others(form) === 0 &&
            form.having('identifier').some(({ description }) => /(?:^| )(?:log ?in|sign ?in|sso)/.test(description.names)),
    },
    {
        name: 'name-or-mail',
        looks: 'labels',
        says: 'signIn',
        points: fair,
        why: 'a choice of names, such as “mail or phone”, is given to whom the site knows',
        holds: (form) =>
            withoutSecret(form) &&
            form.having('identifier').some((field) => {
                const known = [field.label('mail'), field.label('telephone'), field.label('userName')].filter(Boolean).length;
                return known > 1 && field.description.labels.length < 60;
            }),
    },
    {
        name: 'account-comes-next',
        looks: 'texts, button',
        says: 'signIn',
        points: fair,
        why: 'a lone field with “continue”, on a page about an account, finds the account',
        holds: (form) =>
            withoutSecret(form) &&
            form.having('identifier').length === 1 &&
            form.button('next') &&
            (form.announces('account') || form.text('account')),
    },
    {
        name: 'code-comes-next',
        looks: 'button, shape',
        says: 'signIn',
        points: fair,
        why: 'a lone name that a code is sent to signs in without a password',
        holds: (form) => withoutSecret(form) && form.having('identifier').length === 1 && form.button('sendCode'),
    },
    {
        name: 'text-signs-in',
        looks: 'texts, shape',
        says: 'signIn',
        points: slight,
        why: 'many headings are headings by their look alone',
        holds: (form) => withoutSecret(form) && form.having('identifier').length === 1 && form.text('signIn'),
    },
    {
        name: 'button-signs-up',
        looks: 'button',
        says: 'signUp',
        points: strong,
        why: 'the button says what sending the form does',
        holds: (form) => form.button('signUp') && !form.button('signIn'),
    },
    {
        name: 'button-called-sign-up',
        looks: 'button',
        says: 'signUp',
        points: fair,
        why: 'the author calls the button so',
        holds: (form) => form.buttonName('signUp') && !form.buttonName('signIn') && !form.button('signIn'),
    },
    {
        name: 'form-called-sign-up',
        looks: 'names of the form',
        says: 'signUp',
        points: fair,
        why: 'the author calls the form, or what it is sent to, so',
        holds: (form) => form.name('signUp'),
    },
    {
        name: 'heading-signs-up',
        looks: 'heading',
        says: 'signUp',
        points: fair,
        why: 'the heading says what the form is for',
        holds: (form) => form.heading('signUp'),
    },
    {
        name: 'lead-signs-up',
        looks: 'text above, names around',
        says: 'signUp',
        points: slight,
        why: 'the page around speaks of signing up, perhaps of another form',
        holds: (form) => form.lead('signUp') || form.around('signUp'),
    },
    {
        name: 'page-signs-up',
        looks: 'page',
        says: 'signUp',
        points: slight,
        why: 'title and path of the page are about all of its forms',
        holds: (form) => form.page('signUp'),
    },
    {
        name: 'page-alone-signs-up',
        looks: 'page',
        says: 'signUp',
        points: fair,
        why: 'where title and path speak of signing up, and nothing at all of signing in, they count for more',
        holds: (form) => form.page('signUp') && !speaksOfSigningIn(form) && !form.offers('signIn') && !form.offers('forgotten'),
    },
    {
        name: 'already-a-member',
        looks: 'texts',
        says: 'signUp',
        points: fair,
        why: 'only a sign-up asks whether you have an account already',
        holds: (form) => form.hasSecret && form.offers('member') && !form.offers('noAccount') && !form.heading('member'),
    },
    {
        name: 'terms-to-accept',
        looks: 'texts',
        says: 'signUp',
        points: slight,
        why: 'terms are accepted once, with the account',
        holds: (form) => form.hasSecret && form.text('terms'),
    },
    {
        name: 'password-twice',
        looks: 'shape',
        says: 'signUp',
        points: strong,
        why: 'only a new password is typed twice',
        holds: (form) => repeatsPassword(form) && !changesPassword(form),
    },
    {
        name: 'password-to-choose',
        looks: 'labels, names, autocomplete',
        says: 'signUp',
        points: fair,
        why: 'a password that is chosen is new',
        holds: (form) =>
            !changesPassword(form) && form.secrets.some((field) => field.told('fresh') || field.purpose === 'new-password'),
    },
    {
        name: 'personal-data',
        looks: 'shape',
        says: 'signUp',
        points: fair,
        why: 'who signs in has given name and address before',
        holds: (form) =>
            form.hasSecret &&
            form.fields.some((field) => field.nature === 'other' && field.told('personal') && !field.told('notCode')),
    },
    {
        name: 'much-to-fill-in',
        looks: 'shape',
        says: 'signUp',
        points: fair,
        why: 'a sign-in is short',
        holds: (form) => form.hasSecret && form.fields.length - form.secrets.length > 3,
    },
    {
        name: 'old-and-new',
        looks: 'shape, labels',
        says: 'change',
        points: certain,
        why: 'an old password beside a new one is a change',
        holds: changesPassword,
    },
    {
        name: 'new-address',
        looks: 'labels, button',
        says: 'change',
        points: strong,
        why: 'a new mail address beside a password is that of an account that there is',
        holds: (form) =>
            form.hasSecret &&
            !form.button('signUp') &&
            form.fields.some((field) => field.label('mail') && calledNew.test(field.description.labels)),
    },
    {
        name: 'three-passwords',
        looks: 'shape',
        says: 'change',
        points: strong,
        why: 'old, new and new again',
        holds: (form) => form.secrets.length === 3,
    },
    {
        name: 'button-changes',
        looks: 'button, heading',
        says: 'change',
        points: strong,
        why: 'the form says that it changes a password',
        holds: (form) => form.hasSecret && (form.button('change') || form.heading('change')),
    },
    {
        name: 'called-change',
        looks: 'names of the form, page',
        says: 'change',
        points: fair,
        why: 'form or page are called so',
        holds: (form) => form.hasSecret && (form.name('change') || form.page('change')),
    },
    {
        name: 'recovers',
        looks: 'button, heading',
        says: 'recovery',
        points: strong,
        why: 'the form says that it recovers an account',
        holds: (form) => form.button('forgotten') || form.heading('forgotten'),
    },
    {
        name: 'called-recovery',
        looks: 'names of the form, page',
        says: 'recovery',
        points: fair,
        why: 'form or page are called so',
        holds: (form) => form.name('forgotten') || form.page('forgotten'),
    },
    {
        name: 'asks-for-code',
        looks: 'shape',
        says: 'verification',
        points: strong,
        why: 'a code and no password',
        holds: (form) => withoutSecret(form) && form.having('code').length > 0,
    },
    {
        name: 'button-buys',
        looks: 'button',
        says: 'checkout',
        points: strong,
        why: 'the button says what sending the form does',
        holds: (form) => form.button('purchase') && !form.button('signIn') && !form.button('signUp'),
    },
    {
        name: 'speaks-of-buying',
        looks: 'heading, names, page',
        says: 'checkout',
        points: fair,
        why: 'payment and delivery are spoken of',
        holds: (form) => form.heading('purchase') || form.name('purchase') || form.page('purchase'),
    },
    {
        name: 'asks-for-card-or-address',
        looks: 'shape',
        says: 'checkout',
        points: strong,
        why: 'cards and whole addresses are asked for by shops',
        holds: (form) => withoutSecret(form) && (asksForCard(form) || others(form) >= 3),
    },
    {
        name: 'button-subscribes',
        looks: 'button',
        says: 'newsletter',
        points: strong,
        why: 'the button says what sending the form does',
        holds: (form) => withoutSecret(form) && form.button('letter'),
    },
    {
        name: 'button-called-newsletter',
        looks: 'button',
        says: 'newsletter',
        points: fair,
        why: 'the author calls the button so',
        holds: (form) => withoutSecret(form) && form.buttonName('letter'),
    },
    {
        name: 'called-newsletter',
        looks: 'names of the form',
        says: 'newsletter',
        points: strong,
        why: 'the author calls the form, or what it is sent to, so',
        holds: (form) => withoutSecret(form) && (form.name('letter') || form.around('letter')),
    },
    {
        name: 'heading-of-newsletter',
        looks: 'heading, page',
        says: 'newsletter',
        points: strong,
        why: 'the heading or the title says what the form is for',
        holds: (form) => withoutSecret(form) && (form.heading('letter') || form.page('letter')),
    },
    {
        name: 'speaks-of-newsletter',
        looks: 'texts',
        says: 'newsletter',
        points: strong,
        why: 'news and offers are promised for the mail address',
        holds: (form) => withoutSecret(form) && (form.lead('letter') || form.text('letter')),
    },
    {
        name: 'marked-as-search',
        looks: 'role, type',
        says: 'search',
        points: certain,
        why: 'the author says outright that it is a search',
        holds: (form) => form.description.isSearch,
    },
    {
        name: 'searches',
        looks: 'button, names, heading',
        says: 'search',
        points: strong,
        why: 'button, form or heading speak of searching',
        holds: (form) => withoutSecret(form) && (form.button('search') || form.name('search') || form.heading('search')),
    },
    {
        name: 'takes-a-message',
        looks: 'shape',
        says: 'contact',
        points: strong,
        why: 'a text of several lines goes to somebody',
        holds: (form) => withoutSecret(form) && form.description.hasMessage,
    },
    {
        name: 'name-without-password',
        looks: 'shape',
        says: 'contact',
        points: strong,
        why: 'who gives a name and an address, and no password, wants to hear from somebody',
        holds: (form) =>
            withoutSecret(form) &&
            form.having('identifier').length > 0 &&
            form.fields.some((field) => field.nature === 'other' && field.told('personal')),
    },
    {
        name: 'speaks-of-contact',
        looks: 'button, heading, names',
        says: 'contact',
        points: strong,
        why: 'something is sent, booked, invited or asked for',
        holds: (form) => withoutSecret(form) && (form.button('contact') || form.heading('contact') || form.name('contact')),
    },
];

/**
 * What a password field takes, and how likely a field holds the user name, once the kind of the form is known.
 * @type {Rule<FieldFacts, 'current' | 'new' | 'user'>[]}
 */
export const roleRules = [
    {
        name: 'says-current',
        looks: 'autocomplete',
        says: 'current',
        points: certain,
        why: 'the author says outright that the password exists already',
        holds: (field) => field.purpose === 'current-password',
    },
    {
        name: 'says-new',
        looks: 'autocomplete',
        says: 'new',
        points: fair,
        why: 'often written to keep managers away from sign-ins, so that it counts little',
        holds: (field) => field.purpose === 'new-password',
    },
    {
        name: 'told-current',
        looks: 'labels, names',
        says: 'current',
        points: certain,
        why: '“old” and “current” are said beside a new one only',
        holds: (field) => field.told('current'),
    },
    {
        name: 'told-new',
        looks: 'labels, names',
        says: 'new',
        points: strong,
        why: 'what is chosen or new is not stored yet',
        holds: (field) => field.nature === 'secret' && field.told('fresh') && !(field.told('current') && !field.label('fresh')),
    },
    {
        name: 'repeats',
        looks: 'labels, names, order',
        says: 'new',
        points: certain,
        why: 'only a new password is typed twice',
        holds: (field) => field.nature === 'secret' && (field.isRepetition || field.nextSecret?.isRepetition === true),
    },
    {
        name: 'signs-in',
        looks: 'kind of form',
        says: 'current',
        points: strong,
        why: 'a sign-in takes the stored password',
        holds: (field) => field.form.kind === 'signIn',
    },
    {
        name: 'signs-up',
        looks: 'kind of form',
        says: 'new',
        points: strong,
        why: 'a sign-up takes a new password',
        holds: (field) => field.form.kind === 'signUp' || field.form.kind === 'recovery',
    },
    {
        name: 'buys',
        looks: 'kind of form',
        says: 'new',
        points: fair,
        why: 'who is to pay, and gives a password beside the address, opens an account with it',
        holds: (field) => field.form.kind === 'checkout' && field.form.fields.some((other) => other.told('personal')),
    },
    {
        name: 'first-of-a-change',
        looks: 'kind of form, order',
        says: 'current',
        points: strong,
        why: 'a change asks for the old password first, unless that one is typed twice',
        holds: (field) =>
            (field.form.kind === 'change' || field.secrets.length > 2) &&
            field.secrets.length > 1 &&
            field.secrets[0] === field &&
            field.nextSecret?.isRepetition !== true,
    },
    {
        name: 'later-in-a-change',
        looks: 'kind of form, order',
        says: 'new',
        points: strong,
        why: 'after the old password comes the new one',
        holds: (field) => (field.form.kind === 'change' || field.secrets.length > 2) && field.secrets.indexOf(field) > 0,
    },
    {
        name: 'beside-a-new-address',
        looks: 'labels, shape',
        says: 'current',
        points: certain,
        why: 'who changes the mail address of an account proves who they are, by the only password that is asked for',
        holds: (field) =>
            field.secrets.length === 1 &&
            !field.told('fresh') &&
            field.form.fields.some((other) => other.label('mail') && other.label('fresh') && !other.label('repeat')),
    },
    {
        name: 'alone',
        looks: 'shape',
        says: 'current',
        points: slight,
        why: 'people sign in more often than they sign up',
        holds: (field) => field.secrets.length === 1 && field.form.kind !== 'change',
    },
    {
        name: 'says-user-name',
        looks: 'autocomplete',
        says: 'user',
        points: certain,
        why: 'the author says outright that it takes a user name',
        holds: (field) => field.purpose === 'username' && !isNewName(field),
    },
    {
        name: 'read-as-user-name',
        looks: 'labels',
        says: 'user',
        points: strong,
        why: 'the person reads that a user name goes there',
        holds: (field) => field.label('userName'),
    },
    {
        name: 'read-as-identity-number',
        looks: 'labels, names',
        says: 'user',
        points: fair,
        why: 'banks and offices know people by a number; sign-ups ask for it beside the user name or the mail address',
        holds: (field) =>
            field.told('identityNumber') &&
            !field.label('userName') &&
            !(field.form.kind === 'signUp' && field.form.having('identifier').some((other) => other !== field && other.label('mail'))),
    },
    {
        name: 'named-as-user-name',
        looks: 'names',
        says: 'user',
        points: fair,
        why: 'the author calls it so; “user mail” is the mail address of a user',
        holds: (field) =>
            field.name('userName') && !field.name('mail') && !field.name('personal') && !field.name('telephone'),
    },
    {
        name: 'read-as-mail',
        looks: 'labels, autocomplete',
        says: 'user',
        points: fair,
        why: 'without a user name, the mail address is one',
        holds: (field) => (field.label('mail') || field.purpose === 'email') && !besideChosenName(field),
    },
    {
        name: 'named-as-mail',
        looks: 'names, type',
        says: 'user',
        points: fair,
        why: 'without a user name, the mail address is one',
        holds: (field) => (field.name('mail') || field.description.type === 'email') && !besideChosenName(field),
    },
    {
        name: 'phone',
        looks: 'labels, names',
        says: 'user',
        points: slight,
        why: 'without a user name and a mail address, the phone number is one',
        holds: (field) => field.told('telephone') || field.purpose === 'tel',
    },
    {
        name: 'phone-beside-mail',
        looks: 'labels, names, shape',
        says: 'user',
        points: -fair,
        why: 'where a mail address is asked for as well, the phone number is a way to call, wherever it stands',
        holds: (field) =>
            field.told('telephone') &&
            !field.told('mail') &&
            !field.label('userName') &&
            field.form.having('identifier').some((other) => other !== field && !other.description.isHidden && isAnyMail(other)),
    },
    {
        name: 'right-before-password',
        looks: 'order',
        says: 'user',
        points: fair,
        why: 'the user name stands before the password',
        holds: (field) => field.isBeforeSecret,
    },
    {
        name: 'after-password',
        looks: 'order',
        says: 'user',
        points: -fair,
        why: 'what comes after the password is rarely the user name',
        holds: (field) => field.form.hasSecret && (field.secrets[0]?.index ?? 0) < field.index,
    },
    {
        name: 'not-drawn',
        looks: 'style',
        says: 'user',
        points: -strong,
        why: 'where one name is drawn and another is not, the page asks for the one that is',
        holds: (field) =>
            field.description.isHidden && field.form.having('identifier').some(({ description }) => !description.isHidden),
    },
    {
        name: 'of-somebody-else',
        looks: 'labels, names',
        says: 'user',
        points: -certain,
        why: 'a friend, a company or a public page is not who signs in',
        holds: (field) => field.told('stranger'),
    },
    {
        name: 'new-name',
        looks: 'labels, names',
        says: 'user',
        points: -certain,
        why: 'a new mail address or user name, where no account is opened, replaces the old one',
        holds: isNewName,
    },
    {
        name: 'number-beside-mail-in-a-shop',
        looks: 'kind of form, labels, shape',
        says: 'user',
        points: -certain,
        why: 'who buys as a guest gives a mail address; the number of a membership is for a discount',
        holds: (field) =>
            (field.form.kind === 'checkout' || field.form.button('purchase')) &&
            !isAnyMail(field) &&
            !field.label('chosenName') &&
            field.purpose !== 'username' &&
            field.form.fields.some((other) => other !== field && isAnyMail(other)),
    },
    {
        name: 'nickname-beside-mail',
        looks: 'labels, shape',
        says: 'user',
        points: -strong,
        why: 'in Chinese, Japanese and Korean a nickname is what others see; people sign in with a mail address or an ID',
        holds: (field) =>
            field.label('nickname') &&
            field.form.having('identifier').some((other) => other !== field && (isAnyMail(other) || other.told('chosenName'))),
    },
    {
        name: 'data-of-the-account',
        looks: 'kind of form, shape',
        says: 'user',
        points: -certain,
        why: 'where name or address can be changed beside the password, the mail address is one more thing to change',
        holds: (field) =>
            field.form.kind === 'change' &&
            !field.label('userName') &&
            field.form.fields.some((other) => other.nature === 'other' && other.told('personal')),
    },
    {
        name: 'typed-again',
        looks: 'labels, names',
        says: 'user',
        points: -strong,
        why: 'what is confirmed was typed before',
        holds: (field) => field.told('repeat'),
    },
];
