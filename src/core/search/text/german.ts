// The German words and rules with which German requests find English tools.

/** German function words, which carry no meaning of their own, including polite phrases. */
const FUNCTION_WORDS = `
der die das den dem des deren dessen denen ein eine einen einem einer und oder aber sondern sowie denn mit ohne gegen für
von vom bis durch zwischen während seit zu zum zur im ins beim ans ist sind bin bist war waren wäre sei hatte hätte hat
haben wird werden wurde worden kann kannst können könnte könntest könnten soll sollen will willst wollen möchte möchten
wie wer wem wen wo wann warum wieso weil mir mich ich du wir uns unser unsere unserem unseren ihr ihre ihren ihrem ihrer
ihn ihm euch euer er sie es man alle aller allen jeder jede jedes jeden jedem welche welcher welches nicht nein ja auf
aus bei nach über unter vor als ob dass wenn dann doch so also noch auch nur schon mal mehr sehr viel viele vielen etwas
was in an am um ab hinzu zurück weg los meine meinen meinem meiner mein dein sein dieser diese dieses diesem diesen hier
dort da damit dazu davon dabei darin daran jetzt gerade gibt geben gib bitte gern gerne danke hallo hilf brauche brauchen
braucht sag weiß lass benutze verwende namens`;

/** Particles that are separated from their verb in a sentence: "lege … an" belongs to `anlegen`. */
const PARTICLES = `
ab an auf aus bei durch ein fest fort frei her herunter hin hinzu hoch los mit nach um vor weg weiter zu zurück zusammen`;

/** The verbs of requests and the objects that tools often work on, in English, with their German translations. */
const TRANSLATIONS = `
get,list,show: hole holen hol zeig zeige zeigen anzeigen ansehen abrufen
list,get: liste auflisten
read,get: lies lese lesen
search,find: suche suchen durchsuche durchsuchen finde finden
create,add,new: erstelle erstellen lege anlege anlegen neu neue neuen neues neuer
add,create: füge hinzufügen einfügen
update,edit,change: aktualisiere aktualisieren bearbeite bearbeiten ändere ändern
delete,remove: lösche löschen entferne entfernen
send: sende senden schicke schicken verschicke
run,execute: ausführen führe
start: starte starten
task,issue: aufgabe aufgaben
issue,ticket: vorgang vorgänge problem
file: datei dateien
folder,directory: ordner verzeichnis
user: nutzer benutzer anwender
message: nachricht nachrichten
page: seite seiten
document: dokument dokumente
table: tabelle tabellen
database: datenbank datenbanken
project: projekt projekte
event,meeting: termin termine besprechung
comment: kommentar kommentare
product: produkt produkte
price: preis preise
customer: kunde kunden
invoice,bill: rechnung rechnungen
payment: zahlung zahlungen
image,picture: bild bilder
weather: wetter
company: firma unternehmen
account: konto konten
contact: kontakt kontakte
channel: kanal kanäle
calendar: kalender
group: gruppe gruppen
member: mitglied mitglieder
order: bestellung bestellungen
branch: zweig zweige
key: schlüssel
rule: regel regeln
role: rolle rollen
service: dienst dienste
resource: ressource ressourcen
query: abfrage abfragen
record,entry: eintrag einträge
attachment: anhang anhänge
song,track: lied lieder
flight: flug flüge
word: wort wörter
number: zahl zahlen`;

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' };

/**
 * Removes the endings of case, number and person. This is CISTEM (L. Weissweiler and A. Fraser, "Developing a Stemmer
 * for German Based on a Comparative Analysis of Publicly Available Stemmers", 2017), but keeps `ge-`.
 */
function stem(word: string): string {
  let rest = word.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] as string);
  for (;;) {
    const last = rest.at(-1) as string;
    const isEnding = 'tesn'.includes(last) && last !== rest.at(-2) && !rest.endsWith('ie');
    if (rest.length > 5 && /(?:e[mr]|nd)$/.test(rest)) rest = rest.slice(0, -2);
    else if (rest.length > 3 && isEnding) rest = rest.slice(0, -1);
    else return rest;
  }
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

const rows = TRANSLATIONS.trim()
  .split('\n')
  .map((row) => row.split(': ').map((words) => words.split(/[ ,]/)) as [string[], string[]]);

export const GERMAN = {
  /** Words that show that a query is in this language, unless English has them too. They are never search words. */
  functionWords: setOf(FUNCTION_WORDS),
  /** Particles that are separated from their verb in a sentence. */
  particles: setOf(PARTICLES),
  /** Words with a translation. None of them is also an English word. */
  translated: new Set(rows.flatMap(([, german]) => german)),
  /** The English translations of a word, best first, by the word's stem. */
  translations: new Map(rows.flatMap(([english, german]) => german.map((word) => [stem(word), english] as const))),
  /** Returns the form under which a word is indexed. */
  stem,
};
