/**
 * The words that tell fields and forms apart, in the languages that people meet on the web. Data: each concept is a
 * list; a word stands for every word that begins with it, a space in it may be missing (`user name`), and a bar at its
 * end asks for the whole word (`tan|`). Text and words are both `normalise`d: lower case, without accents, with
 * camelCase and punctuation turned into spaces.
 *
 * Languages: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Swedish, Danish, Norwegian,
 * Finnish, Hungarian, Romanian, Turkish, Russian, Ukrainian, Greek, Arabic, Persian, Hebrew, Hindi, Thai, Vietnamese,
 * Indonesian, Chinese, Japanese, Korean; of the most frequent words also Slovak, Slovenian, Croatian, Serbian, Bulgarian,
 * Lithuanian, Latvian, Estonian, Icelandic, Catalan, Basque, Albanian, Georgian, Armenian, Azerbaijani, Kazakh, Uzbek,
 * Bengali, Tamil, Telugu, Urdu, Malay and Swahili.
 */

/** Letters that are no letter with an accent, and what people type instead. */
const plainLetters = new Map(Object.entries({ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ə: 'e' }));
/** Scripts that write words without a space between them, or glue endings to them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Scripts that write particles together with the word that follows. */
const takesParticle = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** The particles of Arabic, Persian and Hebrew. */
const particles = '(?:[وبلفك]?(?:ال|لل)?|[והבלמשכ]{0,2})';

/** @param {string} text @returns {string} */
export function normalise(text) {
    return text
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/\p{M}/gu, '')
        .replace(/[ıłøđðßæœə]/g, (letter) => plainLetters.get(letter) ?? letter)
        .replace(/[\s_\-–—./\\:;'’"`[\]{}#|,()*!?¿¡=&+<>‹›«»·•\u200B-\u200F]+/g, ' ')
        .trim();
}

/**
 * What authors write as one word, in what they call things: `newpassword`, `useremail`.
 * @param {string} names normalised
 */
export function unglued(names) {
    return names.replace(/(?:pass ?word|passwd|passwort|pwd|e ?mail|user ?name)/g, ' $& ').replace(/\s+/g, ' ').trim();
}

/**
 * Whether a normalised text has one of the words. Nothing is done with them before the first text: most pages ask for
 * nothing.
 *
 * @param {string} words separated by commas and white space
 * @param {RegExp} [besides] what counts as one of them
 */
function anyOf(words, besides) {
    /** @type {RegExp | undefined} */
    let expression;
    return {
        /** @param {string} text */
        test(text) {
            expression ??= expressionFor(words.trim().split(/,\s+/));
            return expression.test(text) || (besides?.test(text) ?? false);
        },
    };
}

/**
 * What finds any of the words. Where a word begins and ends is asked once for all of them: a browser compiles each
 * `\p{L}` anew, and with one for each of 5,000 words that took a third of a second.
 *
 * @param {string[]} words
 */
function expressionFor(words) {
    /** @type {string[]} */
    const anywhere = [];
    /** @type {Alternatives} */
    const atStart = { open: [], whole: [] };
    /** @type {Alternatives} */
    const afterParticle = { open: [], whole: [] };
    for (const word of words) {
        const body = normalise(word).replaceAll(' ', ' ?');
        if (unspaced.test(body)) anywhere.push(body);
        else (takesParticle.test(body) ? afterParticle : atStart)[word.endsWith('|') ? 'whole' : 'open'].push(body);
    }
    const begun = [...groups(atStart), ...groups(afterParticle).map((group) => particles + group)];
    const start = begun.length > 0 ? [`(?<!\\p{L})(?:${begun.join('|')})`] : [];
    return new RegExp([...anywhere, ...start].join('|'), 'u');
}

/**
 * @typedef {{open: string[], whole: string[]}} Alternatives words that any ending may follow, and words that stand alone
 * @param {Alternatives} words
 */
function groups({ open, whole }) {
    const followed = open.length > 0 ? [`(?:${open.join('|')})`] : [];
    return whole.length > 0 ? [...followed, `(?:${whole.join('|')})(?!\\p{L})`] : followed;
}

/** An example of a mail address, as placeholders have it. */
const exampleOfMail = /[\p{L}\p{N}]@[\p{L}\p{N}]/u;

/** What a field asks for. */
export const fieldWords = {
    userName: anyOf(`
        user, usr, login, log in|, logon, log on|, sign in name, signin|, uname, uid|, account, acct, nick, screen name,
        member, handle|, subscriber, operator|, alias|, customer id, customer no, customer num, client id, client no,
        client num, service number, access id, online id, web id, student id, student number, employee id, staff id, patient id,
        library card, membership card, loyalty card, barcode|, j username, benutzer, anmelde, kennung, nutzer,
        kundennummer, kunden nr, kundenkennung, konto, zugangsnummer, teilnehmernummer, utilisateur, identifiant,
        identifier, identity, numero client, numero de client, pseudo, usuario, numero de cliente,
        utente, codice cliente, nome utente, utilizador, conta|, gebruiker,
        klantnummer, inlognaam, loginnaam, uzytkownik, identyfikator, nik|, numer klienta, uzivatel,
        prihlasovaci jmeno, klientske cislo, anvandar, kundnummer, bruker, kundenummer,         kayttaja, asiakasnumero, felhasznalo, ugyfel, utilizator, kullanici, uye no, musteri no,         prisijungimo, vartotojo, istifadeci, логин, имя пользователя, пользовател, аккаунт, лицевой счет, логін,
        користувач, обліковий, ονομα χρηστη, χρηστη, كود المستخدم, اسم المستخدم, مستخدم, اسم الدخول,         نام کاربری, کاربری, شناسه, שם משתמש, משתמש, उपयोगकर्ता, यूज़र, यूजर, ชื่อผู้ใช้,
        ผู้ใช้, บัญชี, tên đăng nhập, tài khoản, tên người dùng, nama pengguna, pengguna, nama akun, 用户, 用戶, 账号, 帐号,
        帳號, 账户, 帳戶, 会员, 會員, 登录名, ユーザ, アカウント, ログインid, 会員番号, お客様番号, 契約者番号, 아이디, 사용자, 계정,
        moniker, profile name, gamertag, online id, web id, access id, access number, net id, netid, patron, borrower,
        customer reference, spitzname, mitgliedsnummer, mitglieds nr, mitgliedsname, kunden id, zugangskennung,
        legitimations id, nom de compte, code client, code utilisateur, numero d abonne, numero adherent,
        numero d adherent, numero de compte, nom d usage, apodo, numero de socio, numero de abonado, usuari,
        nome de conta, soprannome, codice utente, numero cliente, codice titolare, nome account, relatienummer,
        lidnummer, bijnaam, klantnr, abonneenummer, nazwa konta, pseudonim, ksywka, numer abonenta, prezdivka,
        cislo klienta, zakaznicke cislo, pouzivatel, prihlasovacie meno, smeknamn, medlemsnummer, bruger, kaldenavn,
        kallenavn, kundenr, nimimerkki, jasennumero, tunnus|, becenev, azonosito, porecla, cod client, rumuz,
        takma ad, uye numara, musteri numara, korisnick, korisnik, nadimak, uporabnisk, vzdevek, slapyvard, lietotaj,
        segvard, kasutaja, huudnimi, notand, erabiltzaile, perdorues, foydalanuvchi, mtumiaji, gebruikers, псевдоним,
        никнейм, ник|, номер счета, номер договора, учетн, потребител, прякор, корисник, корисничко, надимак,
        псевдонім, нікнейм, нік|, номер договору, особовий рахунок, карыстальнік, пайдаланушы, ψευδωνυμο, πελατη,
        μελους, الاسم المستعار, اسم مستعار, رقم العميل, رقم العضوية, رقم الحساب, معرف, اسم العضو, نام مستعار,
        شماره مشتری, شماره عضویت, صارف, כינוי, מספר לקוח, מספר חבר, מספר מנוי, שם חשבון, ग्राहक, ব্যবহারকারী,
        ইউজার, பயனர், వినియోగదారు, รหัสสมาชิก, หมายเลขสมาชิก, ไอดี, ยูสเซอร์, ชื่อเล่น, biệt danh,
        mã khách hàng, tên hiển thị, nomor pelanggan, id pelanggan, nomor anggota, 昵称, 暱稱, 使用者, 客户号, 客戶號, 通行证, 登录id,
        ニックネーム, ハンドルネーム, ペンネーム, 会員id, お客様id, お客さま番号, 利用者番号, 利用者id, 닉네임, 별명, 회원번호, 고객번호, 회원id, 이용자, მომხმარებ,
        օգտանուն, օգտատեր
    `),
    chosenName: anyOf(`
        user name, username, user id|, userid|, login name, log in name, login id|, screen name, nick, handle|, alias|, pseudo, benutzername, nutzername,
        anmeldename, loginname, spitzname, nom d utilisateur, identifiant, nombre de usuario, usuario|, apodo, nom d usuari, nome de usuario, nome de utilizador, nome utente, username|,
        soprannome, gebruikersnaam, inlognaam, loginnaam, bijnaam, nazwa uzytkownika, login|, ksywka, uzivatelske jmeno, prihlasovaci jmeno, prezdivka,
        pouzivatelske meno, prihlasovacie meno, anvandarnamn, smeknamn, brugernavn, brukernavn, kallenavn, kayttajanimi, kayttajatunnus, nimimerkki, felhasznalonev,
        becenev, nume de utilizator, kullanici ad, rumuz, takma ad, korisnicko ime, nadimak, uporabnisko ime, vzdevek, vartotojo vardas, slapyvard,
        lietotajvards, kasutajanimi, notandanafn, erabiltzaile, логин|, имя пользователя, псевдоним, никнейм, ник|, потребителско име, корисничко име, логін|, имя участника,
        ім я користувача, нікнейм, нік|, псевдонім, ονομα χρηστη, ψευδωνυμο, اسم المستخدم, اسم مستعار, الاسم المستعار, اسم العضو, نام کاربری, نام مستعار, שם משתמש, כינוי, उपयोगकर्ता नाम, यूज़रनेम, यूजरनेम,
        ชื่อผู้ใช้, ชื่อเล่น, tên đăng nhập, tên người dùng, tên tài khoản, biệt danh, nama pengguna, 用户名, 用戶名, 使用者名稱, 账号名, ユーザー名, ユーザ名, ユーザーid, ユーザid, ログインid, 아이디, 사용자 이름, მომხმარებლის სახელი, օգտանուն
    `),
    nickname: anyOf(`昵称, 暱稱, ニックネーム, ハンドルネーム, ペンネーム, 닉네임, 별명`),
    identityNumber: anyOf(`
        national id, id number, id no|, identity number, residence no, dni|, nif|, nie|, cedula, documento, codice fiscale,
        cpf|, pesel, personnummer, fodselsnummer, henkilotunnus, tc kimlik, kimlik no, رقم الهوية, کد ملی, מספר זהות,
        תעודת זהות, 身份证, 身分證,
        employee id, employee number, employee no, staff id, student id, student number, policy number, policy no,
        patient id, patient number, consumer number, consumer id, frequent flyer, loyalty number, mileage number,
        personal id, personal number, personal code, isikukood, asmens kod, personas kod, matriculation, crn|, versichertennummer, versicherungsnummer, vertragsnummer,
        personalnummer, matrikelnummer, matricule, numero de contrat, numero fiscal, numero de securite sociale,
        numero de contrato, numero de empleado, rut|, rfc|, curp|, cuit|, cnpj|, matricula, matricola, numero tessera,
        bsn|, burgerservicenummer, numer ewidencyjny, rodne cislo, cpr|, cpr nummer, rodnummer, kennitala, szemelyi,
        cnp|, sicil no, oib|, jmbg|, egn|, егн|, снилс|, инн|, табельный номер, іпн|, рнокпп|, αφμ|, αμκα|,
        رقم الاقامة, رقم الإقامة, الرقم الوطني, رقم الموظف, رقم الطالب, کدملی, شماره ملی, شماره دانشجویی, ת ז|, תז|,
        आधार, ผู้ป่วย, เลขบัตรประชาชน, เลขประจำตัว, cmnd|, cccd|, mã số, mã nhân viên, mã sinh viên, nik ktp, nip|,
        nim|, 学号, 學號, 工号, 工號, 身份證, 社員番号, 学籍番号, 職員番号, 口座番号, 사번, 학번, 주민등록
    `),
    mail: anyOf(`
        e mail, mail|, mail adr, mailadres, mailbox, correo, courriel, mel|, posta elettronica, e posta, e post|,
        e postadres, poczt, sahkoposti, el pasto, posto adres, почт, имейл, эл адрес, пошт, ηλεκτρον ταχυδρ,
        ηλεκτρονικο, ηλ ταχυδρ, البريد, بريد, ايميل, الايميل, ایمیل, پست الکترونیک, דוא ל, דואל, דואר אלקטרוני, אימייל,
        מייל, ईमेल, อีเมล, อีเมล์, thư điện tử, surel, 邮箱, 邮件, 郵箱, 電郵, 電子郵件, 电子邮, 信箱, メール, 이메일, 메일,
        correio, correu, adresse electronique, direccion electronica, adreca electronica, indirizzo elettronico,
        emel|, epasts|, e pasts, e pastas, el pastas, meil|, meiliaadress, e posti, netfang, tolvupost,
        elektron pochta, elektron poct, imeyl, poshta elektronike, e poshte, barua pepe, riomhphost, e bost|,
        helbide elektroniko, електронн, поща, епошта, е пошта, електрон почта, ელფოსტა, ელ ფოსტა, მეილ, էլ փոստ,
        էլփոստ, ইমেইল, ই মেইল, மின்னஞ்சல், ఇమెయిల్, ઇમેઇલ, ای میل, hộp thư, 电邮, eメール, メルアド,
        メアド, 전자우편
    `, exampleOfMail),
    telephone: anyOf(`
        phone, tel|, telephone, mobile, cell|, cellphone, msisdn, handy, rufnummer, telefon, movil, celular, portable|,
        cellulare, telemovel, gsm|, mobil, komork, puhelin, cep|, nomre, телефон, мобильн, тел|, τηλεφων, κινητο, هاتف,
        جوال, موبايل, تلفن, موبایل, همراه, טלפון, נייד, फोन, फ़ोन, मोबाइल, โทรศัพท์, มือถือ, điện thoại, sđt|, ponsel,
        telepon, no hp|, nomor hp, whats app, 手机, 手機, 电话, 電話, 携帯, 전화, 휴대,
        mobitel, telefonski, matkapuhelin, kannykka, talrun, simanumer, tlf|, tlfn, tlph, fono|, мобілн, мобільн,
        мобилен, мобилн, сотов, ტელეფონ, მობილურ, հեռախոս, ফোন, মোবাইল, தொலைபேசி, மொபைல், ఫోన్, మొబైల్, فون, محمول,
        hp|, di động, no telp, nomor handphone, handphone, 移动电话, ケータイ, 핸드폰, 연락처, simu|
    `),
    password: anyOf(`
        pass word, passwd, pwd, psw|, pass|, passphrase, passcode, passwort, kennwort, mot de passe, mdp, contrasen, clave,
        senha, palavra passe, parola, parol|, wachtwoord, haslo, heslo, losenord, passord, adgangskode, salasana, jelszo,
        sifre, lozinka, slaptazod, parool, geslo, пароль, парол, κωδικος προσβασης, κωδικο, συνθηματικο, كلمة المرور,
        كلمة السر, الرقم السري, رمز عبور, گذرواژه, کلمه عبور, סיסמ, पासवर्ड, รหัสผ่าน, mật khẩu, kata sandi, sandi|, 密码,
        密碼, 口令, パスワード, 暗証, 비밀번호, 패스워드,
        pass phrase, secret word, secret phrase, code confidentiel, code personnel, codigo secreto, codigo pessoal,
        codice personale, passwrd, psswrd, passwrt, pword, pw|, geheimzahl, geheimnummer,
        losungswort, code secret, mot secret, palabra secreta, contrasinal, contrasenya, codice segreto, toegangscode,
        pasahitz, lykilord, kodeord, tunnussana, tunnusluku, jelmondat, parole|, zaporka, sifra|, fjalekalim,
        wagwoord, cyfrinair, pasfhocal, nywila, neno la siri, maxfiy, parolingiz, лозинк, шифра, құпия сөз, құпиясөз,
        პაროლ, գաղտնաբառ, পাসওয়ার্ড, கடவுச்சொல், పాస్వర్డ్, પાસવર્ડ, संकेतशब्द, پاس ورڈ, رمز الدخول, كلمة مرور,
        كلمه المرور, كلمه السر, الرمز السري, كلمة العبور, رمز ورود, پسورد, گذر واژه, קוד סודי, พาสเวิร์ด, รหัสลับ,
        kata laluan, 通行碼, パスコード, パスフレーズ, 合言葉, 암호, 비번
    `),
    code: anyOf(`
        otp, totp, mfa|, mfa code, 2fa, tfa|, two factor, two step, one time, verification code, verification number,
        verify code, verif code, vcode, vericode, security code, sms, text message code, auth code, authcode,
        authentication code, authenticator, passcode, token code, token|, confirmation code, confirm code, login code,
        sign in code, access code, factor code, digit code, digit 1, pin code|, tan|, mtan, smstan, pushtan, phototan,
        einmal, bestatigungscode, verifizierungs, sicherheitscode, zahlencode, code de verification, code de securite,
        code de confirmation, code a usage, code sms, code recu, codigo de verificacion, codigo de seguridad,
        codigo de confirmacion, codigo sms, codice di verifica, codice di sicurezza, codice di conferma, codice sms,
        codigo de verificacao, codigo de seguranca, verificatiecode, beveiligingscode, bevestigingscode,
        kod weryfikacyjny, kod sms, kod autoryzacyjny, overovaci kod, kod z sms, sms kod, verifieringskod, engangskod,
        engangskode, bekreftelseskode, vahvistuskoodi, kertakayttoinen, megerosito kod, ellenorzo kod, cod de verificare,
        dogrulama kod, onay kod, guvenlik kod, код подтверждения, код из, одноразов, смс, проверочный код,
        код підтвердження, код із, κωδικος επαληθευσης, κωδικο επαληθευσης, رمز التحقق, كود التحقق, رمز التاكيد, رمز التأكيد,
        کد تایید, کد تأیید, رمز یکبار, رمز پویا, קוד אימות, קוד חד פעמי, सत्यापन कोड, ओटीपी, รหัสยืนยัน, mã xác thực,
        mã xác nhận, mã xác minh, kode verifikasi, kode otp, kode konfirmasi, 验证码, 驗證碼, 校验码, 动态码, 動態碼, 认证码,
        認証コード, 確認コード, 検証コード, ワンタイム, 認証番号, 인증번호, 인증코드, 인증 코드, 확인 코드,
        inlogcode, anmeldecode, einmalcode, code de connexion, codigo de inicio, codigo de entrada, kod logowania, inloggningskod,
        loginkode, код для входа, kirjautumiskoodi, giris kodu, 登录码, ログインコード, 로그인 코드,
        code we sent, code sent, code we e mailed, code we texted, code from your, code from the, code received,
        received code, code you received, emailed code, e mailed code, texted code, mailed code, email code,
        e mail code, code in the email, six digit, 6 digit, temporary code, verification pin, validation code,
        verification token, security token, login token, dynamic code, reader code, reader response, otac|, duo code, code aus, erhaltener code,
        erhaltenen code, prufcode, verifikationscode, authentifizierungscode, bestatigungs code, zugesandte,
        code envoye, code temporaire, code unique, code d authentification, code de validation, code par sms,
        code recu par, codigo recibido, codigo enviado, codigo que, codigo de un solo uso, codigo de validacion,
        codigo de autenticacion, codigo temporal, clave dinamica, clave temporal, codigo recebido,
        codigo de validacao, codigo de autenticacao, codigo de uso unico, codigo temporario, codice ricevuto,
        codice inviato, codice temporaneo, codice monouso, codice di autenticazione, ontvangen code,
        toegestuurde code, eenmalige, controlecode, code uit, otrzymany kod, kod z|, kod jednoraz, jednoraz,
        kod potwierdz, kod uwierzytel, obdrzeny kod, overovac, autorizacni kod, autorizacny kod, kod zaslan, kod fran,
        mottagen kod, engangs, sakerhetskod, bekraftelsekod, kode fra, modtaget kode, bekraeftelseskode,
        sikkerhedskode, sikkerhetskode, mottatt kode, tekstiviestikoodi, vastaanotettu koodi, kertakoodi,
        varmennuskoodi, turvakoodi, kapott kod, egyszer hasznalatos, biztonsagi kod, ellenorzokod, cod primit,
        codul primit, codul din, cod de securitate, cod de confirmare, cod unic, gelen kod, gonderilen kod,
        tek kullanim, kod iz|, verifikacijski kod, verifikacioni kod, jednokratn, potvrdni kod, sigurnosni kod,
        potrditvena koda, varnostna koda, enkratn, patvirtinimo kod, gautas kodas, gauta koda, vienkartin,
        apstiprinajuma kod, vienreizej, kinnituskood, uhekordne, stadfestingarkod, код за потвърждение,
        код за сигурност, еднократ, верификациони код, полученный код, код доступа, код безопасности, код авторизации,
        отриманий код, код безпеки, код з|, κωδικος που λαβατε, κωδικος μιας χρησης, κωδικος επιβεβαιωσης,
        κωδικο επιβεβαιωσης, الرمز المرسل, الكود المرسل, الرمز المستلم, رمز لمرة, رمز التفعيل, كود التفعيل, کد ارسال,
        کد دریافت, کد پیامک, کد فعال, کد یکبار, کد تائید, رمز موقت, קוד שקיבל, קוד שנשלח, קוד מה, प्राप्त कोड,
        भेजा गया कोड, वन टाइम, যাচাইকরণ কোড, รหัสที่ได้รับ, รหัสที่ส่ง, โอทีพี, mã otp, mã được gửi, mã đã nhận,
        kode dari, kode yang, 短信, 簡訊, 简讯, 位数字, 位數字, 动态密码, 動態密碼, 一次性, 收到的, 届いたコード, 送信されたコード, 受け取ったコード, 確認番号, 桁の数字,
        桁のコード, 받은 코드, 일회용, 인증 번호, 자리 숫자, 확인코드
    `),
    bareCode: anyOf(`
        code, passcode, pin|, digits, ziffer, chiffre, codigo, codice, cifre, kod|, kodu|, kode, koodi, kodas, код, кода|,
        κωδικο, رمز, كود, کد, קוד, कोड, รหัส, mã|, コード, 코드,
        codul, cod|, kood|, koda|, коду, კოდი, կոդ, কোড
    `),
    captcha: anyOf(`
        captcha, robot, human|, are you human, picture, image|, characters you see, characters shown, text shown,
        letters shown, exactly as it appears, sum of, quiz, zeichen im bild, recopi, caracteres de la,
        картинк, символы, символи, بالصورة, الصورة, تصویر, تصویری, בתמונה, 图形, 图片, 圖形, 圖片, 画像, 文字を,
        type the text, type the characters, type the letters, enter the characters, enter the letters, enter the text,
        word verification, anti spam, antispam, spam protection, math question, security image, visual code, im bild,
        bildcode, abgebildet, spamschutz, anti robot, imagen, imagem, letras de la, immagine, afbeelding, plaatje,
        obrazk, obrazek, przepisz, opiste, pa bilden, tecknen, billedet, bildet|, kuvassa, kuvan, kepen|, imagine|,
        caracterele, resim, gorsel, slike|, slici, slika|, pavyksl, attela, pildil, изображени, зображен, малюнк,
        слике|, слици, изображение, εικονα, الصوره, المرئي, المرئية, كابتشا, عبارت امنیتی, کد امنیتی, حروف, תמונה,
        האותיות, कैप्चा, चित्र, छवि, ในภาพ, ตามภาพ, ที่เห็น, hình ảnh, trong hình, mã bảo vệ, mã hình, gambar,
        kode keamanan, 图中, 圖中, 右图, 右侧字符, 看不清, 计算结果, 画像認証, 表示されている, 자동입력, 보안문자, 자동가입, 그림
    `),
    notCode: anyOf(`
        activation code, device code, user code|, pairing code, presale, pre sale, vorverkauf, prevente, preventa, prevendita, voorverkoop, przedsprzedaz, coupon, promo, voucher, gift, discount, offer code, country, area code, dial code, postal, post code, postcode,
        post, zip, card, cvv|, cvv num, cvv code, cvc|, cvc num, cvc code, csc|, invit, refer, product, license, licence, serial, backup, recovery, sort code, swift,
        bic|, tax, qr|, colour, color, source, agent, employee, staff, student, campaign, plan|, currency, language, state,
        region, birth, booking, reservation, order, track, gutschein, rabatt, postleit, plz, cadeau, parrain, reduction,
        descuento, promocion, cupon, cupom, desconto, sconto, buono, korting, rabat, sleva, indirim, kupon, промокод,
        купон, индекс, خصم, قسيمة, تخفیف, קופון, कूपन, ส่วนลด, giảm giá, diskon, 邀请, 邀請, 优惠, 優惠, 推荐, 推薦, 招待,
        紹介, クーポン, 郵便, 추천, 쿠폰,
        scratch, restore, back up, emergency, activation key, wiederherstellung, notfall, ersatzcode, aktionscode,
        vorteilscode, geschenk, code de secours, secours, recuperation, respaldo, recuperacion, recupero, recuperacao,
        herstelcode, reserve, zapasow, zalozni, zalozny, reservkod, varakoodi, tartalek, yedek, резервн, восстановл,
        احتياطي, پشتیبان, גיבוי, สำรอง, dự phòng, cadangan, 备用, 備用, 恢复, バックアップ, リカバリ, 백업, 복구, avantage, actiecode,
        cadeaubon, etukoodi, alennus, kedvezmen, popust, отстъпк, попуст, подароч, скидк, знижк, подарунк, κουπον,
        εκπτωσ, كوبون, تخفيض, הנחה, छूट, คูปอง, ưu đãi, khuyến mãi, 折扣, 礼品, 禮品, 兑换, 兌換, 序列号, 割引, ギフト, シリアル, 할인, 상품권,
        기프트, pocztowy, posta kod, postansk, пощенск, поштанск, ταχυδρομικ, پستی, מיקוד, पिनकोड, ไปรษณีย์, bưu|,
        kode pos|, 邮政, 우편, giftcard, regalo, presente
    `),
    current: anyOf(`
        current, old|, oldpass, oldpwd, existing, previous, present, today, original, aktuell, altes|, alte|, bisherig,
        derzeitig, actuel, ancien, actual, anterior, antigua, antiga, attuale, vecchia, precedente, atual, huidig, oude|,
        obecne, stare|, aktualn, dotychczasow, nuvarande, gammal, nuvaerende, gaeldende, navaerende, nykyinen, vanha,
        jelenlegi, regi|, soucasn, stavajici, puvodni, mevcut, eski|, guncel, текущ, стар, нынешн, прежн, поточн,
        τρεχ, παλι, ισχυ, الحالي, القديم, فعلی, قدیمی, קודמת, נוכחי, ישנה, वर्तमान, पुराना, ปัจจุบัน, เดิม, hiện tại,
        cũ|, saat ini, lama|, 旧, 舊, 当前, 當前, 目前, 原密, 現在, 현재, 기존,
        trenutn, postojec, stara|, staro|, staru|, dabartin, senas|, senasis, pasreizej, veca|, vecais, praegun, vana|, kehtiv,
        sucasn, vechi|, vechea, настоящ, нинішн, чинн, მიმდინარე, ძველი, मौजूदा, पुराने, sekarang, sebelumnya, 现有,
        原登录, 今の, 이전, bestaand, vorig, befintlig, gamla|, gamle|, entinen, eksisterende, mostani, biezac, existente,
        existant, precedent, esistente
    `),
    fresh: anyOf(`
        new|, newpass, new pass, newpwd, create, choose, desired, set a, set your, set pass, pick a, reg pass, neu|, neues,
        neue|, wahlen, gewunscht, nouveau, nouvelle, choisi, nueva, nuevo, crea|, elige, elija, nova|, novo|, nove|, crie,
        nuova, nuovo, scegli, nieuw, kies, nowe, nowy, ustaw, nytt, nya|, valj, ny|, velg, uusi, uj|, uuden, nou|, noua|,
        yeni, belirle, новый, новое, придума, новий, новое, вигада, νεο, νεα|, נבח, חדש, جديد, جدید, नया, नए, ใหม่, mới,
        baru, buat|, 新, 设置, 設定, 設置, 새, 신규,
        make up a, make a, pick your, set up a, vergeben, festlegen, anlegen, erstellen, auswahlen, wunsch, creer,
        creez, choisir, definir, definissez, crear, cree|, escoge, elegir, estable, criar, escolh, defina, creare,
        imposta|, scegliere, definisci, aanmaken, maak een, bedenk, kiezen, instellen, utworz, stworz, wybierz, nadaj,
        wymysl, ustal, vytvor, zvol, nastav, skapa, vaelg, opret, opprett, luo|, valitse, aseta, valassz, hozz letre,
        creeaza, alege, seteaza, olustur, созда, задайте, установите, створ, встанов, novu|, izaberi, odaberi,
        kreiraj, stvori, izberi, ustvari, нова|, нову|, създай, изберете, nauj, sukurk, jauna|, jauno, uus|, νεος|,
        δημιουργ, επιλεξτε, انشاء, إنشاء, اختر, انتخاب, تعیین, ایجاد, בחר, बनाएं, चुनें, नई|, ตั้ง, สร้าง, กำหนด,
        tạo|, đặt|, chọn, pilih, tetapkan, atur|, 创建, 建立, 希望, 설정, 만들, ახალი
    `),
    repeat: anyOf(`
        confirm, repeat, re type, re enter, re pass, again, once more, verify, verif|, second, match, conf|, cpass, cpwd,
        rpt, wdh, wiederhol, bestatig, erneut, noch einmal, confirme, repet, repit, otra vez, ripeti, conferma, novamente,
        herhaal, bevestig, nogmaals, powtorz, potwierdz, ponown, upprepa, bekrafta, igen|, gjenta, gentag, bekreft,
        toista, vahvista, uudelleen, megerosit, ismet, ujra|, confirma, potvrd, zopakuj, znovu, kontrola, tekrar, onay,
        dogrula, повтор, подтверд, еще раз, ещё раз, повтори, підтверд, ще раз, επαναλ, επιβεβαι, تاكيد, تأكيد, اعادة,
        إعادة, تکرار, אימות, אישור, שוב, वेरिफाई, पुष्टि, फिर, दोबारा, ยืนยัน, อีกครั้ง, nhập lại, xác nhận,
        konfirmasi, ulangi, ulang|, 确认, 確認, 再次, 重复, 重複, 再入力, もう一度, 확인, 재입력, 다시,
        ponov, potrdi|, patvirtin, pakartok, atkart, apstiprin, kinnita, korda|, reintrod, inca o data, meg egyszer,
        uudestaan, bekraeft, nog een keer, nochmal, encore une fois, ressais, retap, a nouveau, de nouveau, vuelve a,
        vuelva a, reescrib, reingres, de nuevo, nuevamente, redigit, reinser, riscriv, di nuovo, nuovamente,
        jeszcze raz, jeste jednou, yeniden, снова, понов, поново, потврд, потвърд, отново, знову, ξανα, مرة أخرى,
        مرة اخرى, كرر, مطابق, دوباره, חזור|, שנית, पुनः, ซ้ำ, lần nữa, sekali lagi, 再输入, 重新, 再度, もういちど, 한번 더, 한 번 더,
        გაიმეორ
    `),
    secretOther: anyOf(`
        cvv|, cvv num, cvv code, cvc|, cvc num, cvc code, csc|, cid|, card, kartenprufnummer, ssn|, social security, social insurance, tax id, security answer,
        secret answer, answer, antwort, reponse secrete, respuesta, risposta, resposta, odpowied, odpoved, ответ, iban,
        key|, keys|, enrolment key, enrollment key, enrolkey, einschreibeschlussel, cle d inscription, clave de matriculacion, chiave di iscrizione, klic|, kluc|, klucz|, schlussel|, sleutel|, nyckel|, nokkel|, nogle|, avain|, kulcs|, anahtar|, ключ|, κλειδι|, memorable, passport, gift, serial, wpa|, 答案,
        cvn|, cvd|, pruefziffer, maiden name, mother s maiden, date of birth, birth date, geburtsdatum,
        date de naissance, fecha de nacimiento, data de nascimento, data di nascita, sozialversicherung, hint|,
        odgovor, vastaus, valasz|, raspuns, cevap, yanit|, отговор, відповід, απαντηση, الاجابة, الإجابة, پاسخ, תשובה,
        उत्तर, คำตอบ, câu trả lời, jawaban, 回答, 答え, 답변,
        access token, auth token, api token, bearer, personal token, personal access, private token, deploy token,
        bot token, apikey, api schlussel, api sleutel, cle api, cle d api, clave api, clave de api, chave api,
        chave de api, chave da api, chiave api, klucz api, api klic, api nyckel, api nogle, api avain, api kulcs,
        api anahtar, ключ api, api ключ, ключ доступа, api キー, api 密钥, api 金鑰, api 키, מפתח api, مفتاح api,
        client secret, app secret, shared secret, signing secret, webhook, 
        license, licence, lizenz, licencia, licenca, licenza, licentie, licenc, lisans, лиценз, ліценз, ライセンス, 许可证,
        授權碼, 라이선스, wi fi, wlan|, wlan pass, wep|, wpapsk, 
        network pass, netzwerkschlussel, netzwerkkennwort, cle reseau, clave de red, chave de rede, chiave di rete,
        transfer code, transfer auth, epp|, geheimer schlussel, zugriffsschlussel, cle secrete, cle d acces, clave secreta,
        chave secreta, chave de acesso, chiave segreta, geheime sleutel, klucz tajny, tajny klucz, секретный ключ, 密钥, 金鑰,
        シークレット, 暗号化キー, 암호화 키, file password, pdf password, document password, archive password, zip password, dateipasswort, pdf passwort,
        mot de passe du fichier, mot de passe du pdf, contrasena del archivo, contrasena del pdf, senha do arquivo,
        password del file, 文件密码, puk|, puk code, sim pin, pin sim, psk|, pre shared, preshared, meeting pass, meeting code, conference pass, webinar, room pass
    `),
    reference: anyOf(`
        confirmation number, confirmation no, booking, reservation, reference number, reference no, order number, order no,
        order id, pnr|, record locator, ticket number, claim number, case number, buchungsnummer, buchungscode, auftragsnummer,
        bestellnummer, vorgangsnummer, aktenzeichen, numero de reservation, numero de commande, numero de dossier,
        numero de reserva, localizador, numero de pedido, prenotazione, numero ordine, boekingsnummer,
        reserveringsnummer, bestelnummer, numer rezerwacji, numer zamowienia, cislo rezervace, cislo objednavky,
        bokningsnummer, ordernummer, bookingnummer, ordrenummer, varausnumero, tilausnumero, foglalasi, rendelesszam,
        rezervasyon, siparis no, siparis numara, бронир, номер заказа, номер замовлення, κρατησης, رقم الحجز, رقم الطلب,
        מספר הזמנה, מספר הזמנ, बुकिंग, หมายเลขการจอง, mã đặt, nomor pesanan, kode booking, 予約番号, 注文番号, 订单号, 訂單編號, 预订号, 예약번호,
        주문번호
    `),
    service: anyOf(`
        smtp, imap|, pop3|, mail server, mailserver, server|, servidor, serveur, serwer, сервер, 服务器, 伺服器, サーバ, 서버,
        host|, hostname, host name, hote|, хост|, ホスト, port|, puerto|, porta|, poort|, порт|, 端口, ポート, ssid|,
        wifi name, network|, network name, netzwerk|, netzwerkname, reseau|, red|, rede|, rete|, netwerk|, siec|, сеть|, 网络名称, dns|, dns 1|,
        gateway, gw|, proxy, subnet, netmask, ip address, ip adresse, ipaddr, database, db name, dbname, datenbank,
        base de datos, base de donnees, banco de dados, baza danych, база данных, databasenaam, databas, データベース,
        数据库, ldap, bind dn, base dn, ftp|, sftp, pppoe, mtu|, mqtt, broker, endpoint, webdav, base url, api url, server url,
        data source, datasource, datenquelle, source de donnees, connection url, connection string, localhost, uri|, auth source, registry, repository, instance url, webhook url
    `),
    card: anyOf(`
        card, iban, karte|, kartennummer, kreditkarte, carte|, numero de carte, tarjeta, cartao, carta|, numer karty, cislo karty, kortnummer, kart no,
        kart numara, номер карты, номер картки, رقم البطاقة, شماره کارت, מספר כרטיס, 卡号, 卡號, カード番号, 카드번호, cc num, cc number, ccnum, pan|
    `),
    trap: anyOf(`hidden, fake, dummy, decoy, honey, trap|`),
    partial: anyOf(`
        character, letter|, memorable, zeichen, stelle, caractere, caracter, carattere, znak, символ, digit of your
    `),
    personal: anyOf(`
        name|, first name, fname|, f name|, forename, last name, lname|, l name|, given, family, full name, surname, middle,
        your name, display name, name on, real name, maiden, preferred name, contact name, company, organisation, organization,
        business, employer, job, address, addr, street, city, town|, suburb, state|, province, region, county, zip,
        postal, post code, postcode, country, birth, dob|, age|, gender, occupation, vorname, nachname, vollstandiger,
        anrede, strasse, hausnummer, plz|, postleit, ort|, wohnort, firma, geburt, prenom, nom|, nom de famille, civilite,
        code postal, ville|, adresse, societe, naissance, nombre|, nombre completo, apellido, direccion, ciudad,
        codigo postal, empresa, provincia, nacimiento, nome|, nome completo, sobrenome, apelido, endereco, cidade,
        bairro, nascimento, agencia, cognome, indirizzo, citta|, cap|, nascita, azienda, voornaam, achternaam,
        tussenvoegsel, straat, huisnummer, plaats, woonplaats, geboorte, bedrijf, imie|, nazwisko, ulica, miasto,
        kod pocztowy, urodzenia, firmy, jmeno|, prijmeni, mesto|, psc|, narozeni, fornamn, efternamn, adress|,
        postnummer, fodelse, fornavn, etternavn, efternavn, adresse, by|, fodsels, etunimi, sukunimi, osoite,
        vezetek, keresztnev, prenume|, nume|, oras|, adiniz, ad soyad, soyad, isim, sehir, adres, dogum, имя|, фамили,
        отчество, адрес, город|, индекс, рожден, компания, ім я, прізвищ, адрес, місто, ονομα|, επωνυμο, ονοματεπωνυμο,
        διευθυνση, πολη|, الاسم, العنوان, المدينة, الشركة, الميلاد, نام|, نام خانوادگی, نام و, آدرس, شهر|, שם|, שם פרטי,
        שם משפחה, שם מלא, כתובת, עיר|, חברה, नाम|, पूरा नाम, पता|, शहर, ชื่อ|, ชื่อจริง, ชื่อและ, นามสกุล, ที่อยู่, จังหวัด,
        họ|, họ và tên, họ tên, tên|, địa chỉ, nama|, nama lengkap, nama depan, nama belakang, alamat, kota|, 姓名, 名字,
        姓氏, 地址, 邮编, 公司, 名前, 氏名, フリガナ, ふりがな, 住所, 郵便, 生年月日, 会社, 이름, 성명, 주소, 생년월일,
        ime|, prezime, priimek, naslov|, vardas, pavarde, vards|, uzvards, eesnimi, perekonnanimi, aadress, meno|,
        priezvisko, cognoms, nafn|, nimi|, postinumero, kaupunki, syntyma, nev|, telepules, szuletes, iranyitoszam,
        postnr, име|, презиме, град|, фио|, піб|, по батькові, სახელი, გვარი, اسم العائلة, تاریخ تولد, תאריך לידה,
        जन्म, วันเกิด, ngày sinh, tanggal lahir, 城市, 生日, 出生, 都道府県, 市区町村, 番地, 생일, 주문자, 수령인, 예금주, localitate, judet
    `),
    bareName: /^(?:(?:your|ihr|dein|votre|tu|su|seu|il tuo) )?(?:name|nom|nombre|nome|naam|navn|namn|nimi|nev|nume|nazwa|jmeno|meno|ime|isim|ad|имя|ім я|име|ονομα|الاسم|نام|שם|नाम|ชอ|tên|ten|nama|姓名|名前|名字|이름)$/u,
    search: anyOf(`
        search, query|, keyword, find|, q|, suche|, suchen|, suchbegriff, suchwort, recherch, buscar, busca|, busqueda,
        pesquis, cerca|, ricerca, zoek, szukaj, wyszuk, hledat, vyhledat, sok|, haku|, kereses, ara|, arama, поиск,
        искать, пошук, αναζητηση, بحث, ابحث, جستجو, חיפוש, חפש, खोज, ค้นหา, tìm|, tìm kiếm, cari|, pencarian, 搜索, 搜尋,
        検索, 검색,
        looking for, pretraz, pretrag, претра, търс, iskan, paiesk, meklet, otsi|, hladat, vyhladav, leita|, etsi|,
        soeg, ძებნა, որոն, অনুসন্ধান, தேடு, ابحث عن, ค้น, お探し, 찾으시
    `),
    other: anyOf(`
        filter, coupon, promo, voucher, discount, referr, referral, invite, friend,
        recipient, card, expir, cardholder, iban, routing, sort code, subject, message, comment, question, answer,
        amount, quantity, qty|, website, domain, subdomain, url|, fax|, tracking, booking, reservation, order|,
        order number, order id, meeting, title|, language, currency, ssid, channel, date|, start date, year|, month|, day|,
        todo, task, note|, gutschein, betreff, nachricht, menge, sujet, montant, asunto, mensaje, cupon, oggetto, messaggio,
        onderwerp, bericht, temat, wiadomosc, konu|, mesaj, тема|, сообщени,
        valor|, importe, betrag, importo, bedrag, kwota, castka, belopp, belob|, summa|, osszeg, suma|, tutar, сумм,
        сума|, ποσο|, المبلغ, مبلغ, סכום, राशि, จำนวนเงิน, số tiền, jumlah, 金额, 金額, 금액, record locator,
        confirmation number, flight, claim number, gift, captcha, pnr|,
        prefix|, prefijo, prefixo, prefisso, vorwahl, indicatif, netnummer, landskod, landcode, landekode, kod kraju, код страны, 区号, 國碼, 国番号, 국가번호
    `),
    stranger: anyOf(`
        friend, recipient, buyer, attendee, passenger, sponsor, referr, invite, spouse, guest, emergency, colleague, to email, cc|, notify,
        newsletter, public, subscribe, company id, company code, company name, tenant, organization id, workspace,
        store id, branch,
        receiver, nominee, manager s, supervisor, referee, empfanger, destinatario, destinataire, destinatar,
        получател, 收件人, 受取人
    `),
};

/** What the classes of a field say; short words stand in generated ones by chance. */
export const lookWords = {
    search: anyOf(`search, searchbox, site search, suche, recherche, busqueda`),
    code: anyOf(`otp|, otp input, otp field, otp digit, one time, verification, verify code, passcode, code input, digit input`),
};

/** What a form, or the page around it, is for. */
export const formWords = {
    signIn: anyOf(`
        sign in, log in, log on, signin, login, logon, sign on|, signon, authenticat, existing customer,
        returning customer, registered customer, welcome back, enter your password, unlock, anmeld, einloggen,
        login bereich, connexion, connecte, se connecter, s identifier, identifiez vous, identification, deja client,
        iniciar sesion, inicia sesion, inicio de sesion, acceder, accede|, acceso, ingresar, ingrese, ingreso|, entrar,
        entre|, acessar, acesso|, fazer login, iniciar sessao, accedi, accesso, entra|, area riservata, aanmelden,
        inloggen, log in, zaloguj, logowanie, prihlas, prihlaseni, logga in, inloggning, logg inn, log ind, kirjaudu,
        bejelentkez, belepes, autentific, conectare, giris, oturum ac, prisijung, daxil ol, войти, вход, авториз,
        увійти, вхід, логін, συνδεση, εισοδος, συνδεθ, تسجيل الدخول, سجل الدخول, دخول, ورود, התחבר, התחברות, כניסה,
        לוגין, लॉग इन, लॉगिन, साइन इन, เข้าสู่ระบบ, ล็อกอิน, đăng nhập, masuk, 登录, 登入, 登錄, 登陆, ログイン, サインイン, 로그인,
        access your account, access account, access my account, prijav, пријав, влез, pieslegt, ienakt, logi sisse,
        sisene|, intra in cont, inicia sessio, innskra, sisaan, belep, შესვლა, ავტორიზაც, մուտք, লগইন, লগ ইন, সাইন ইন,
        உள்நுழை, లాగిన్, لاگ ان, ولوج, لاگین, log masuk, кіру|, kirish|, saioa hasi, hyr|, log pa|, logg pa, ingresa|,
        returning user, registered user, existing user, ich bin bereits
    `),
    signUp: anyOf(`
        sign up, signup, register, registration, registri, registro, registru, registra, registre, join|, join now, join us, create, new account, open account, open an account,
        enrol, get started, start free, free trial, start your, new customer, new user, neu hier, konto erstellen,
        konto anlegen, jetzt anlegen, inscri, s inscrire, creer, creez, ouvrir un compte, crear, crea tu, crea una,
        registra|, registrate, alta|, cadastr, criar, crie sua, crea account, iscriv, registrati, registreer, registreren,
        account aanmaken, zarejestruj, rejestracj, zaloz konto, utworz konto, registrac, zaregistr, vytvorit, zalozit,
        skapa, registrera, bli medlem, opprett, opret, luo tili, rekisteroi, regisztr, inregistr, creeaza, kayit, kaydol,
        uye ol, hesap olustur, регистр, зарегистр, создать, реєстр, зареєстр, створити, εγγραφ, δημιουργ, انشاء, إنشاء,
        تسجيل جديد, تسجيل|, اشترك, ثبت نام, ایجاد, הרשמ, הירשם, להירשם, יצירת, रजिस्टर, पंजीकरण, साइन अप, खाता बनाएं,
        สมัคร, ลงทะเบียน, สร้างบัญชี, đăng ký, tạo tài khoản, daftar, buat akun, 注册, 註冊, 新規, 登録, 会員登録, 회원가입, 가입,
        become a member, first time user, nueva cuenta, nuevo cliente, unete, unirse, darse de alta, nuevo usuario,
        novo cliente, nova conta, associe, nuovo cliente, nuovo account, nuovo utente, nieuwe klant, nieuw account,
        word lid, maak een account, nowy klient, nowe konto, novy zakaznik, novy ucet, ny kund, nytt konto, ny kunde,
        ny bruger, uusi asiakas, uj vasarlo, uj fiok, client nou, cont nou, yeni uye, neukunde, neues konto,
        mitglied werden, account erstellen, account anlegen, nouveau client, nouveau compte, je cree, je m inscri,
        m inscri, devenir membre, kreiraj, izradi racun, otvori racun, ustvari, създай, sukurti, izveidot, loo konto,
        nyskra, skra mig, რეგისტრაცია, գրանց, নিবন্ধন, সাইন আপ, பதிவு, నమోదు, رجسٹر, тіркел, новый пользователь,
        новий користувач, مستخدم جديد, عميل جديد, حساب جديد, عضو جديد, کاربر جدید, משתמש חדש, לקוח חדש, नया खाता,
        สมาชิกใหม่, khách hàng mới, akun baru, 新用户, 新会员, 新帳號, はじめて, 初めて
    `),
    member: anyOf(`
        already have an account, already have a, already a member, already registered, have an account, existing user,
        bereits registriert, bereits ein konto, schon registriert, bereits kunde, deja inscrit, deja un compte,
        ya tienes, ya tengo, ja tem|, ja tenho, ja possui, hai gia, sei gia, al een account, heb je al, masz juz,
        mate ucet, har du redan, allerede, zaten uye, hesabin var, уже есть аккаунт, уже зарегистр, вже є, вже маєте,
        لديك حساب, هل لديك, حساب دارید, יש לך חשבון, पहले से खाता, มีบัญชี, đã có tài khoản, sudah punya, 已有账号, 已有帳號,
        すでに, 이미
    `),
    noAccount: anyOf(`
        don t have an account, do not have an account, don t have a, no account yet, no account, not a member, not registered, not yet registered, new here, new user|,
        need an account, haven t registered, first time here, first time visit, noch kein konto, noch nicht registriert, noch kein kunde, noch kein mitglied, neu hier, kein konto, pas encore, pas de compte, nouveau client, no tienes cuenta,
        no tienes una cuenta, aun no tienes, no tengo cuenta, no estas registrad, no tens compte, nao tem conta, nao tem uma conta, ainda nao, nao possui, non hai un account, non hai ancora, non sei registrat, non sei ancora, nog geen, geen account, nie masz konta, nie masz jeszcze, nemate ucet,
        nemam ucet, nemate konto, har du inget konto, har du inte, inget konto, ikke medlem, har du ikke, ingen konto, ei tunnuksia, ei viela, nincs fiok, nincs meg, meg nem, nu ai cont, nu aveti cont, hesabin yok, hesabiniz yok, uye degil, hala uye,
        nemate racun, nemas racun, nimate racuna, neturite, nav konta, pole kontot, нет аккаунта, нет учетной, еще не зарегистр, не зарегистр, впервые у нас, нямате, немате, немає акаунт, немає облік, ще не зареєстр, δεν εχετε λογαρ, ليس لديك, لا تملك حساب, حساب ندارید, אין לך, עדיין לא, खाता नहीं, ยังไม่มีบัญชี,
        ไม่มีบัญชี, chưa có tài khoản, belum punya, belum memiliki, 没有账号, 还没有, 沒有帳號, 還沒有, まだ会員, アカウントをお持ちでない, 会員でない, お持ちでない, 계정이 없, 회원이 아니, 아직 회원
    `),
    change: anyOf(`
        change pass, change your pass, change my pass, change password, update pass, update your pass, update password,
        modify pass, edit pass, new pass, set pass, set a new pass, set your pass, choose a new pass, pass word change,
        password change, change of pass, passwd|, passwort andern, kennwort andern, neues passwort, passwort setzen,
        changer, modifier le mot, modifier mon mot, nouveau mot, cambiar contrasen, cambiar la contrasen, cambiar clave,
        cambia tu, nueva contrasen, modifica password, cambia password, nuova password, alterar senha, alterar a senha,
        nova senha, trocar senha, mudar senha, wachtwoord wijzigen, wijzig wachtwoord, nieuw wachtwoord, zmien haslo,
        zmiana hasla, nowe haslo, zmenit heslo, zmena hesla, nove heslo, byt losenord, andra losenord, nytt losenord,
        bytt passord, skift adgangskode, vaihda salasana, jelszo modosit, schimba parola, sifre degis, sifremi degis,
        parola degis, yeni sifre, смен, изменить пароль, новый пароль, змін, новий пароль, αλλαγη, تغيير كلمة,
        كلمة المرور الجديدة, تغییر رمز, שינוי סיסמ, पासवर्ड बदलें, เปลี่ยนรหัสผ่าน, đổi mật khẩu, ubah kata sandi,
        ganti kata sandi, ubah password, 修改密码, 更改密码, 修改密碼, 變更密碼, パスワード変更, パスワードの変更, 비밀번호 변경,
        change pin, change your pin, pin andern, promijeni lozink, promena lozinke, promijena lozink, spremeni geslo,
        смяна на парола, промени, промена на лозинк, pakeisti slaptazod, mainit parol, muuda parool,
        canviar contrasenya, breyta lykilord, actualizar contrasen, actualizar clave, aggiorna password,
        actualizar senha, atualizar senha, mettre a jour le mot, mettre a jour mon mot
    `),
    forgotten: anyOf(`
        forgot, forget, lost pass, lost your pass, lost|, reset pass, reset your pass, reset my pass, password reset,
        reset password, reset|, recover, account recovery, trouble sign, trouble log, can t sign, can t log, can t access,
        find your account, find my account, remind me, vergessen, zurucksetz, oublie, reinitialis, recuperar, olvid,
        olvide, restablecer, dimenticat, recuper, reimposta, esquec, redefinir, vergeten, herstel, zapomn, odzyska,
        nie pamietasz, reset hasla, obnov, glomt, aterstall, glemt, unohd, elfelejt, uitat, unuttu, sifremi unut,
        sifirla, pamirs, забыл, восстанов, сброс, забули, віднов, ξεχασ, επαναφορα, نسيت, نسيان, استعادة, اعادة تعيين,
        فراموش, بازیابی, שכחתי, שחזור, איפוס, भूल गए, रीसेट, ลืม, quên, lupa, reset kata, 忘记, 忘記, 找回, 重置, 忘れ,
        再設定, 再発行, 찾기, 재설정, 잊으,
        can t remember, cannot remember, don t remember, need help sign, need help log, help signing in,
        help logging in, problems sign, problems log, problem sign, problem log, zaboravil, заборавил, pozabil,
        забрав, aizmirs, unusta, zabudnut, zabudli, zabudol, oblidat, gleymt, დაგავიწყდა, ভুলে, மறந்து, మర్చి, بھول,
        terlupa, 忘了, mot de passe perdu, no recuerd, nao lembr, smarrit, wachtwoord kwijt, utracone, ztracen, потерял,
        passwort anfordern
    `),
    remember: anyOf(`
        remember me, remember my, remember user, remember|, keep me, stay sign, stay log, trust this, angemeldet bleiben,
        eingeloggt, merken, se souvenir, rester connect, recordar, recuerd, mantener la sesion, no cerrar sesion, ricorda,
        resta collegat, lembrar, manter conect, mantenha, continuar conectado, onthoud, blijf ingelogd, zapamietaj,
        nie wylogow, zapamatovat, kom ihag, hall mig, husk mig, husk meg, muista minut, emlekezz, tine ma, beni hatirla,
        oturumu acik, запомнить, запам, να με θυμασαι, تذكرني, تذكر, مرا به خاطر, זכור אותי, מزكرني, मुझे याद, จดจำ, จำฉัน,
        ghi nhớ, nhớ mật khẩu, ingat saya, 记住, 記住, 保持登录, 次回から, ログインしたまま, 로그인 상태, 자동 로그인,
        keep logged, remember login, ostani prijavljen, zapamti, запамт, запомни, prisimin, atcereties, jata mind,
        mäleta, muista kirjautum, zostan prihlasen, recorda m, garder ma session, rester identifi, ligado|,
        permanecer
    `),
    terms: anyOf(`
        terms, privacy, i agree, agree to, consent, i accept, by click, by sign, by creat, by continu, agb, datenschutz,
        conditions, cgu, terminos, condiciones, politica de, termos, termini, voorwaarden, regulamin, podmink, villkor,
        vilkar, kosullar, sozlesme, соглаш, услови, умов, ορους, الشروط, قوانین, תנאי, ข้อกำหนด, điều khoản, syarat, 协议,
        條款, 条款, 利用規約, 약관
    `),
    letter: anyOf(`
        newsletter, news letter, subscri, mailing list, mailing|, mc embedded, email list, updates, notify me,
        keep me posted, stay in the loop, stay in touch, stay up to date, keep in touch, in the know, waiting list,
        waitlist, off your first, off your next, your discount, exclusive offers, special offers, exclusive access, inbox,
        abonnier, abonnez, s abonner, lettre d info, infolettre, suscri, boletin, novedades, iscriviti alla, promozioni,
        assine, receba, novidades, nieuwsbrief, schrijf je in, biuletyn, zapisz sie, odebirat, odber, nyhetsbrev,
        nyhedsbrev, uutiskirje, hirlevel, bulten, abone, рассылк, подпис, розсилк, підпис, ενημερωτικ, النشرة, خبرنامه,
        תפוצה, ניוזלטר, न्यूज़लेटर, จดหมายข่าว, bản tin, berlangganan, 订阅, 訂閱, 電子報, メルマガ, 購読, 구독, 뉴스레터,
        sign me up, mc4wp, mailpoet, klaviyo, mce|, pretplat, претплат, narocit, e novice, абонир, бюлетин, prenumer,
        naujienlaisk, jaunum, uudiskir, tilaa|, feliratkoz, aboneaza, buletin, recibe nuestras, resta aggiornato,
        nhận tin, รับข่าวสาร, メールマガジン, 소식 받기, get the latest, latest news, breaking news, daily digest, weekly digest
    `),
    search: anyOf(`
        search, find|, filter, suche|, suchen, recherche, buscar, busca|, pesquis, cerca|, zoek, szukaj, hledat, sok|,
        sog|, haku|, kereses, cauta, ara|, arama, поиск, найти, искать, пошук, знайти, αναζητ, بحث, ابحث, جستجو, חיפוש, חפש,
        खोज, ค้นหา, tìm|, tìm kiếm, cari|, 搜索, 搜寻, 搜尋, 検索, 검색,
        pretraz, pretrag, претра, търс, iskan, paiesk, meklet, otsi|, hladat, leita|, etsi|, ძებნა, অনুসন্ধান, ค้น,
        查找, 查询, 查詢
    `),
    contact: anyOf(`
        contact, get in touch, message, comment, reply, kontakt, feedback, enquir, inquir, request a, book a, quote|,
        review, send us, ask a question, questions, how may we help, donat, invite, refer a, track, booking, reservation,
        waiting, demo|, callback, call me, qualify, support request, nachricht, ruckruf, contactez, contacto, mensaje,
        contatto, contattaci, contato, mensagem, bericht, wiadomosc, zprava, meddelande, besked, iletisim, mesaj, контакт,
        сообщение, обратн, звонок, звернен, επικοινων, اتصل, رسالة, تماس, צור קשר, הודעה, संपर्क, ติดต่อ, liên hệ, hubungi,
        联系, 留言, 聯絡, お問い合わせ, 문의,
        simul, calculat, estimate, rsvp, petition, survey, devis, offerte aanvragen, cotiz, orcamento, preventivo,
        terminvereinbar, angebot anfordern
    `),
    purchase: anyOf(`
        check out, checkout, place order, place your order, pay now, pay|, payment, complete purchase, buy now, billing,
        shipping, delivery, order summary, credit card, debit card, card number, card details, gift card, kasse|, zahlung,
        bezahlen, kostenpflichtig, bestell, rechnung, lieferung, paiement, payer, livraison, facturation, commande,
        pago|, pagar, envio|, facturacion, finalizar compra, pedido, pagamento, spedizione, acquist, ordine, entrega,
        afrekenen, betaling, bezorg, betalen, platnosc, zaplac, dostaw, zamow, platba, doprava, objedn, betalning, leverans,
        kassa|, odeme, siparis, teslimat, оплат, доставк, заказ, замовл, πληρωμ, παραγγελ, الدفع, الشحن, پرداخت, תשלום,
        משלוח, भुगतान, ชำระ, thanh toán, pembayaran, bayar, 支付, 付款, 结账, 結帳, 支払, 配送, 注文, 결제, 배송
    `),
    save: anyOf(`
        save, apply, test connection, speichern, ubernehmen, sichern, enregistrer, sauvegarder, appliquer, guardar, aplicar, salvar,
        gravar, salva|, applica, opslaan, toepassen, zapisz, zastosuj, ulozit, pouzit, spara, verkstall, gem|, lagre,
        tallenna, mentes, alkalmaz, salveaza, aplica, kaydet, uygula, spremi, sacuvaj, shrani, ulozit, запази, сохранить,
        применить, зберегти, застосувати, αποθηκευ, εφαρμογη, حفظ, ذخيره, ذخیره, שמור, שמירה, सहेज, บันทึก, lưu, simpan, 保存, 储存,
        儲存, 应用, 套用, 適用, 저장, 적용
    `),
    add: anyOf(`
        create, erstellen, creer, crear, criar, utworz, создать, 创建, 作成, add, hinzufugen, ajouter, anadir, agregar, adicionar, aggiungi, toevoegen, dodaj, pridat, lagg till, tilfoj, legg til, lisaa,
        hozzaad, adauga, ekle, добавить, додати, добави, προσθηκη, اضافة, افزودن, הוסף, जोड़ें, เพิ่ม, thêm, tambah, 添加, 新增, 追加, 추가
    `),
    thing: anyOf(`
        new credentials, add credentials, create credentials,
        gift card, giftcard, card balance, check balance, balance check, your balance, check your card, geschenkkarte,
        geschenkgutschein, guthaben, carte cadeau, cheque cadeau, solde de la carte, solde de votre carte, tarjeta
        regalo, tarjeta de regalo, saldo de la tarjeta, cartao presente, vale presente, saldo do cartao, carta regalo,
        buono regalo, saldo della, cadeaukaart, cadeaubon, kadobon, saldo van, karta podarunkowa, saldo karty, darkova
        karta, darkov, darcekov, zustatek, presentkort, gavekort, lahjakort, ajandekkartya, card cadou, hediye kart,
        bakiye, poklon kartic, подарочн, подаръчна, подарунков, баланс карты, δωροκαρτα, بطاقة هدية, بطاقة الهدايا,
        کارت هدیه, כרטיס מתנה, גיפט קארד, गिफ्ट कार्ड, บัตรของขวัญ, thẻ quà tặng, kartu hadiah, 礼品卡, 禮品卡, 余额, 餘額,
        ギフトカード, 残高, 기프트카드, 상품권, 잔액, webhook, api key, apikey, api token, access token, oauth, client id, integration,
        connector, api schlussel, cle api, clave api, chave api, chave de api, chiave api, интеграц, вебхук, ключ api,
        接口, 集成, 連携, 연동, sim pin, pin sim, sim card, sim karte, carte sim, tarjeta sim, cartao sim, carta sim, scheda
        sim, simkaart, karta sim, karty sim, сим карт, sim 卡, simカード, join a meeting, join meeting, join the meeting,
        join a call, join conference, join a webinar, join webinar, meeting id, meeting beitreten, meeting teilnehmen,
        besprechung beitreten, rejoindre la reunion, rejoindre une reunion, unirse a la reunion, unirse a una reunion,
        entrar na reuniao, ingressar em uma reuniao, partecipa alla riunione, deelnemen aan vergadering, dolacz do
        spotkania, подключиться к конференции, toplantiya, 加入会议, 加入會議, 会議に参加, ミーティングに参加, 회의 참가, device code,
        encrypted, decrypt, entschlussel, verschlusselt, dechiffr, descifr, cifrad, decodific, decifr, расшифр,
        зашифр, 解密, 加密, 復号, 暗号化, wi fi, wifi, wlan|, hotspot, ssid|, guest network, gastnetz, reseau invite, 无线网络, 無線,
        kiosk, snmp, radius|, vpn, wireguard, ssh key, private key, connect to server, connect to database, new
        connection, database connection, postgresql, mysql, mongodb, register server, data source, repository,
        registry, secret key, new secret, add secret, secrets|, file protect, protected file, protect pdf, unlock pdf,
        unlock file, link settings, share link, shared link settings
    `),
    device: anyOf(`
        on your tv, tv screen, smart tv, your television, link your tv, link your device, link a device, pair your,
        pair a device, activate your device, activate a device, device code, connect your tv, connect your device,
        auf dem fernseher, auf ihrem fernseher, auf deinem fernseher, sur votre tele, sur votre tv, sur votre ecran,
        shown on the screen, displayed on the screen, on screen code, auf dem bildschirm, en la pantalla, affiche a l ecran,
        en tu tele, en su tele, en tu tv, en la tv, na sua tv, na tua tv, sulla tv, sul televisore, op je tv,
        na ekranie telewizora, na televizi, на экране телевизора, televizyon, テレビ, 电视, 電視
    `),
    verify: anyOf(`
        verif, two factor, two step, 2 step, 2fa, mfa|, otp, one time, authenticator, authentication code, security code,
        confirm your identity, check your phone, enter code, enter the code, enter your code, digit code, texted, passcode,
        sent you a code, sent a code, code sent, we sent, challenge, purchase authentication, second factor,
        security check, identity check, bestatigungscode, sicherheits, zwei faktor, freigeben, verifizier, einmal, verification, saisissez le code,
        deux facteurs, deux etapes, introduce el codigo, dos pasos, dos factores, verifica, inserisci il codice,
        due passaggi, digite o codigo, duas etapas, verificac, voer de code, tweestaps, weryfik, wpisz kod, dwuetap,
        overen, zadejte kod, verifier, ange kod, bekreft, vahvist, ellenorz, dogrula, onayla, подтвержд, введите код,
        двухфакт, код из, підтвердж, введіть код, двофакт, επαληθευσ, التحقق, تأكيد, رمز التحقق, تایید, אימות, קוד אימות,
        सत्यापन, सत्यापित, ยืนยัน, xác thực, xác minh, verifikasi, 验证, 驗證, 認証, 確認コード, 인증,
        inlogcode, anmeldecode, code de connexion, kod logowania, inloggningskod, loginkode, код для входа,
        by sms, per sms, via sms, par sms, por sms, przez sms, pelo sms, sms ile, по смс, в смс, из смс, pin recibido, pin recu,
        pin ricevuto, te mandamos un codigo, te enviamos un codigo, hemos enviado, enviamos um codigo, abbiamo inviato,
        nous avons envoye, code geschickt, haben ihnen einen code, hebben je een code, wyslalismy, poslali jsme,
        skickat en kod, sendt en kode, lahetimme, elkuldtuk, am trimis, gonderdik, отправили код, надіслали, στειλαμε,
        ارسلنا, أرسلنا, ارسال کردیم, שלחנו, भेजा गया, ส่งรหัส, đã gửi mã, kami telah mengirim, 已发送, 已發送, 送信しました,
        전송했습니다
    `),
    sendCode: anyOf(`
        send code, send a code, send me a code, send the code, send otp, get code, get a code, get the code, get otp,
        request code, request otp, code senden, code anfordern, envoyer le code, recevoir le code, recevoir un code,
        enviar codigo, obtener codigo, recibir codigo, receber codigo, invia codice, ricevi codice, verstuur code,
        wyslij kod, poslat kod, odeslat kod, skicka kod, send kode, kod gonder, получить код, отправить код, отримати код,
        надіслати код, αποστολη κωδ, ارسال الرمز, ارسال رمز, ارسال كود, ارسال کد, دریافت کد, שלח קוד, कोड भेज, ส่งรหัส,
        gửi mã, lấy mã, kirim kode, 获取验证码, 發送驗證碼, 发送验证码, 取得驗證碼, コードを送信, 認証コードを, 인증번호 받기,
        인증번호 요청
    `),
    account: anyOf(`
        your account, my account, account|, have an account, members area, customer area, mein konto, kundenportal,
        espace client, mon compte, mi cuenta, tu cuenta, minha conta, sua conta, area clienti, mijn|, moje konto, muj ucet,
        mitt konto, mina sidor, hesabim, личный кабинет, кабинет, кабінет, λογαριασμ, حسابي, حساب کاربری, החשבון, अकाउंट, खाता,
        บัญชี, tài khoản, akun, 我的账户, 账号, 帐号, 帳號, 会員, 会员, 會員, マイページ, 계정
    `),
    send: anyOf(`
        ok|, go|, submit, send, enter, envia, confirm, authori, let me in, absenden, senden, bestatig, valider, envoyer, confirmer, enviar, confirmar, aceptar, invia,
        conferma, verzenden, bevestig, wyslij, potwierdz, odeslat, potvrdit, skicka, bekrafta, send|, bekreft, laheta, vahvista, kuldes, trimite,
        gonder, onayla, tamam, отправ, подтверд, надіслати, підтверд, υποβολη, ارسال, إرسال, تاكيد, تأكيد, تایید, שלח, אישור, भेजें, जमा, ส่ง, ยืนยัน, ตกลง,
        gửi, xác nhận, kirim, 提交, 确认, 確認, 确定, 確定, 送信, 전송, 확인
    `),
    next: anyOf(`
        next, continue, proceed, go on|, weiter, fortfahren, suivant, continuer, poursuivre, siguiente, continuar, avanti,
        prosegui, continua, seguinte, proximo, avancar, volgende, doorgaan, verder, dalej, kontynuuj, dalsi, pokracovat,
        nasta, fortsatt, fortsaet, videre, jatka, seuraava, tovabb, inainte, devam, ileri, sonraki, davam, далее,
        продолжить, далі, продовжити, συνεχεια, επομενο, التالي, متابعة, بعدی, ادامه, המשך, הבא, आगे, जारी, ถัดไป, ต่อไป,
        tiếp, berikutnya, lanjut, 下一步, 继续, 繼續, 次へ, 続行, 다음, 계속
    `),
};
