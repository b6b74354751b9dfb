import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Problem } from '@trestle/problem/problem'
import type { BrowserRequest } from './browser-request.js'
import type { PageFile } from './files.js'
import { roleOf } from './session-cookie.js'

// Done for each answer, so less thoroughly than for files.
const COMPRESSED = {
  identity: (text: string) => text,
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text),
}

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** One of the page's files, in the smallest form that the browser accepts. */
export function sendFile({ request, response }: BrowserRequest, { type, etag, immutable, bodies }: PageFile): void {
  const cache = immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  const shared = { ...EVERYWHERE, 'content-type': type, etag, vary: 'Accept-Encoding', 'cache-control': cache }
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, shared).end()
  const coding = codingOf(request.headers['accept-encoding'])
  const body = bodies[coding]
  const encoded = coding === 'identity' ? {} : { 'content-encoding': coding }
  response.writeHead(200, { ...shared, ...encoded, 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The page itself, the same for every path under /app: its scripts decide what it shows, and know the role without a request. */
export async function sendPage(context: BrowserRequest, files: ReadonlyMap<string, PageFile>, chains: string): Promise<void> {
  const { request, response, url } = context
  const role = roleOf({ cookie: request.headers.cookie, secure: context.secure })
  if (!role && isSignedOut(context)) return redirectToSignIn(context)
  const page = files.get(pageAt(url, role)) ?? files.get('/index.html')
  if (!page) throw new Problem('unavailable', 'NotBuilt', 'The console is not built: npm run build.')
  const nonce = randomBytes(16).toString('base64')
  const html = page.bodies.identity
    .toString()
    .replaceAll('__NONCE__', nonce)
    .replace('__ROLE__', role)
    .replace('__CHAINS__', () => chains)
  const coding = codingOf(request.headers['accept-encoding'])
  const body = await COMPRESSED[coding](html)
  response.writeHead(200, {
    ...EVERYWHERE,
    'content-type': page.type,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    vary: 'Accept-Encoding',
    'content-security-policy': policy(nonce),
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The first page after the sign-in is prerendered (web/prerendered.tsx). */
function pageAt({ pathname }: URL, role: string): string {
  return pathname === '/app' && role ? `/overview-${role}.html` : '/index.html'
}

/** Whether the browser is surely signed out. After a link from another site it may not be: `SameSite=Strict` withholds the cookie (Fetch Metadata). */
function isSignedOut({ request, url }: BrowserRequest): boolean {
  const from = request.headers['sec-fetch-site']
  return (from === 'none' || from === 'same-origin') && !url.pathname.startsWith('/app/account/')
}

/** As the page itself would, without being loaded first. */
function redirectToSignIn({ response, url: { pathname, search } }: BrowserRequest): void {
  const to = pathname === '/' ? '/app' : pathname + search
  const location = `/app/account/sign-in?${new URLSearchParams({ to })}`
  response.writeHead(302, { ...EVERYWHERE, location, 'cache-control': 'no-store' }).end()
}

/** Content Security Policy 3: scripts are our files or carry this answer's nonce; nothing is loaded from elsewhere. */
function policy(nonce: string): string {
  const ours = `'self' 'nonce-${nonce}'`
  return [
    `default-src 'none'`,
    `script-src ${ours}`,
    `style-src ${ours}`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

function codingOf(accepted: string | string[] | undefined): 'identity' | 'br' | 'gzip' {
  const taken = String(accepted ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';', 1)[0])
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}
