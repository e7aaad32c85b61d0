/**
 * The words that tell fields and forms apart. Data: each concept is one pattern over text that `normalise` made lower
 * case, without accents, with camelCase and punctuation turned into spaces.
 *
 * Languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Czech, Turkish; a few words
 * of Russian, Chinese, Japanese and Korean.
 */

/**
 * @param {string} words separated by commas; each is a piece of a regular expression and starts at the start of a word
 */
function anyOf(words) {
    const alternatives = words.trim().split(/,\s+/);
    return new RegExp(`(?:^|[^\\p{L}])(?:${alternatives.join('|')})`, 'u');
}

/** What a field asks for. */
export const fieldWords = {
    userName: anyOf(`
        user, usr, login, log in, logon, signin, uname, uid, account, acct, nick, screen ?name, member, handle,
        customer (?:id|no|num), benutzer, anmelde, kennung, nutzer, kunden, konto, utilisateur, identifiant,
        identifier, usuario, utente, utilizador, gebruiker, uzytkownik, anvandar, uzivatel, kullanici, pseudo,
        логин, имя пользователя, 用户名, 账号, 帐号, ユーザ, アカウント, 아이디
    `),
    mail: anyOf(`
        e ?mail, mail, correo, courriel, posta, eposta, poczt, почт, 邮箱, メール, 이메일
    `),
    telephone: anyOf(`
        phone, tel, mobile, cell, handy, telefon, movil, celular, portable, телефон, 手机, 电话, 電話
    `),
    code: anyOf(`
        otp, totp, mfa, 2fa, tfa, two factor, one ?time, pin code, verification, verify code, security code, sms,
        auth(?:entication|enticator)? code, passcode, token, confirm(?:ation)? code, einmal, verifizierung, 验证码
    `),
    current: anyOf(`
        current, old, existing, previous, present, aktuell, altes, bisherig, actuel, ancien, actual, attuale,
        vecchia, atual, huidig, oude, obecne, stare, nuvarande, текущий, 旧, 当前
    `),
    fresh: anyOf(`
        new, confirm, repeat, re ?type, re ?enter, again, verify, create, choose, second, match, conf, rpt, neues,
        wiederhol, bestatig, nouveau, confirme, nueva, repet, repit, nuova, ripeti, conferma, nova, confirmar,
        nieuw, herhaal, bevestig, nowe, powtorz, upprepa, potvrd, yeni, tekrar, новый, повтор, 新, 确认, 確認
    `),
    secretOther: anyOf(`
        cvv, cvc, csc, card, ssn, social security, security answer, secret answer, iban, answer
    `),
    other: anyOf(`
        search, query, find, captcha, robot, coupon, promo, voucher, gift, first ?name, last ?name, given, family,
        full ?name, f ?name, l ?name, surname, middle, your name, display, company, organi[sz]ation, business,
        address, street, city, town, state, zip, postal, postcode, country, birth, dob, age, gender, card, cvv,
        iban, expir, subject, message, comment, question, answer, amount, quantity, website, domain, url, such,
        vorname, nachname, strasse, plz, ort, prenom, nom, ville, nombre, apellido, cidade, cognome, referr, invite,
        friend, recipient
    `),
};

/** What a form, or the page around it, is for. */
export const formWords = {
    signIn: anyOf(`
        sign ?in, log ?in, log ?on, signin, login, logon, signon, authenticat, anmeld, einloggen, connexion,
        connecter, identifi, iniciar sesion, inicia sesion, acceder, ingresar, entrar, accedi, aanmelden, inloggen,
        zaloguj, logga in, prihlas, giris, войти, вход, 登录, 登入, ログイン, 로그인
    `),
    signUp: anyOf(`
        sign ?up, register, registr, regist, join, create, new account, open account, enrol, get started, start
        free, free trial, regis, konto erstellen, konto anlegen, inscri, creer, crear, cadastr, criar, iscriv,
        registreer, zarejestruj, rejestracj, skapa konto, registrace, kayit, uye ol, регистр, зарегистр, 注册, 註冊, 新規,
        登録, 가입
    `),
    change: anyOf(`
        (?:change|reset|update|set|new|modify|edit) (?:your |my |a |the )?(?:new )?pass, pass ?word
        (?:change|reset|update), passwort (?:andern|zurucksetzen), changer, cambiar, modifica password, alterar
        senha, wachtwoord wijzigen
    `),
    forgotten: anyOf(`
        forg[eo]t, lost (?:your )?pass, reset (?:your |my )?pass, recover, trouble (?:sign|log), can t (?:sign|log),
        vergessen, oublie, olvid, dimenticat, esquec, vergeten, zapomn, glomt, unuttu, забыли, 忘记, 忘れ
    `),
    remember: anyOf(`
        remember, keep me, stay (?:sign|log), angemeldet bleiben, eingeloggt, se souvenir, rester connect, recordar,
        ricorda, lembrar, onthoud, zapamietaj, kom ihag, запомнить, 记住
    `),
    terms: anyOf(`
        terms, privacy, i agree, agree to, consent, by (?:click|sign|creat|continu), agb, datenschutz, conditions,
        terminos, termini
    `),
    letter: anyOf(`
        newsletter, subscri, mailing, updates, notify me, keep in touch, abonn, suscri, iscriviti alla
    `),
    search: anyOf(`
        search, suche, recherche, buscar, cerca, zoek, szukaj, поиск, 搜索, 検索
    `),
    contact: anyOf(`
        contact, message, comment, kontakt, feedback, enquir, inquir, checkout, shipping, billing, payment, donat
    `),
    next: anyOf(`
        next, continue, weiter, suivant, continuer, siguiente, continuar, avanti, prosegui, volgende, dalej, nasta,
        далее, 下一步, 次へ, 다음
    `),
};

/** @param {string} text @returns {string} */
export function normalise(text) {
    return text
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[\s_\-./:'’[\]#|,()*!?]+/g, ' ')
        .trim();
}
