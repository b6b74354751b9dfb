import { hash } from 'node:crypto'
import type { MailboxMail } from '@trestle/contracts/accounts/mailbox'

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2430, #e6e9ee); --soft: light-dark(#667085, #98a2b3);
  --paper: light-dark(#fff, #1b2028); --ground: light-dark(#f3f4f7, #12161c); --line: light-dark(#e3e6ec, #2b323d); --accent: light-dark(#2456d6, #8ab0ff) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 46rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .9rem 1.5rem; align-items: end; margin-bottom: 1.75rem }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.3; letter-spacing: -.01em }
header p { margin: 0; color: var(--soft) }
form { flex: 1 1 15rem; display: flex; justify-content: end }
input { padding: .45rem .8rem; width: 15rem; flex: 0 1 auto; border: 1px solid var(--line); border-radius: 999px; background: var(--paper); color: inherit; font: inherit; font-size: .9rem }
input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
article { margin-bottom: 1rem; padding: 1.1rem 1.35rem; border: 1px solid var(--line); border-radius: 12px; background: var(--paper) }
article:target, article:first-of-type { border-color: var(--accent) }
h2 { margin: 0; font-size: 1.05rem }
.about { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: .1rem 0 .8rem; color: var(--soft); font-size: .85rem }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .86rem/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, monospace }
@media (max-width: 40rem) { body { padding-top: 1.5rem } input { width: 100% } }
.none { padding: 3.5rem 1rem; border: 1px dashed var(--line); border-radius: 12px; text-align: center; color: var(--soft) }
`

/** The page needs its own style and nothing else: nothing that a mail contains runs or is loaded. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  refresh: '10',
}

/** Whether `Accept` (RFC 9110 section 12.5.1) prefers HTML to JSON; JSON is the default. */
export function prefersPage(accept = ''): boolean {
  return quality(accept, 'text/html') > quality(accept, 'application/json')
}

export function mailboxPage(mails: readonly MailboxMail[], to: string | undefined): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mailbox (${mails.length})</title><style>${STYLE}</style></head>
<body>
<header><div><h1>Mailbox</h1><p>Mail sent on this development machine, newest first.</p></div>
<form><input type="search" name="to" placeholder="Recipient" aria-label="Recipient" value="${escaped(to ?? '')}"></form></header>
<main>
${mails.map(article).join('\n') || `<p class="none">No mail${to ? ` to ${escaped(to)}` : ''} yet. The page refreshes itself.</p>`}
</main>
</body>
</html>
`
}

function article({ id, to, subject, text, createdAt }: MailboxMail): string {
  return `<article id="${escaped(id)}"><h2>${escaped(subject)}</h2>
<div class="about"><span>to ${escaped(to)}</span><time datetime="${createdAt}">${createdAt.replace('T', ' ').slice(0, 19)} UTC</time></div>
<pre>${linked(escaped(text))}</pre></article>`
}

/** Links a line that is only a URL; whatever could end the attribute is escaped already. */
function linked(text: string): string {
  return text.replace(/^https?:\/\/[^\s<>"']+$/gm, (address) => `<a href="${address}">${address}</a>`)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function quality(accept: string, type: string): number {
  const range = accept.split(',').find((item) => item.split(';', 1)[0]?.trim().toLowerCase() === type)
  return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1)
}
