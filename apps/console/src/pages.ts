import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Problem } from '@trestle/problem/problem'
import type { Exchange } from './exchange.js'
import type { PageFile } from './files.js'
import { roleOf } from './sign-in.js'

// With every answer anew, so less thoroughly than files.
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

/** One of the page's files, in the smallest form that the browser takes. */
export function sendFile({ request, response }: Exchange, { type, etag, immutable, bodies }: PageFile): void {
  const cache = immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  const shared = { ...EVERYWHERE, 'content-type': type, etag, vary: 'Accept-Encoding', 'cache-control': cache }
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, shared).end()
  const coding = codingOf(request.headers['accept-encoding'])
  const body = bodies[coding]
  const encoded = coding === 'identity' ? {} : { 'content-encoding': coding }
  response.writeHead(200, { ...shared, ...encoded, 'content-length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The page itself, the same for every address under /app: its scripts decide what it shows, and need not ask for whom. */
export async function sendPage(exchange: Exchange, files: ReadonlyMap<string, PageFile>): Promise<void> {
  const { request, response, url } = exchange
  const role = roleOf(exchange)
  if (!role && isStranger(exchange)) return leadToSignIn(exchange)
  const page = files.get(pageAt(url, role)) ?? files.get('/index.html')
  if (!page) throw new Problem('unavailable', 'NotBuilt', 'The console is not built: npm run build.')
  const nonce = randomBytes(16).toString('base64')
  const html = page.bodies.identity.toString().replaceAll('__NONCE__', nonce).replace('__ROLE__', role)
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

/** That which one comes to first has its first picture in it (web/prerendered.tsx). */
function pageAt({ pathname }: URL, role: string): string {
  return pathname === '/app' && role ? `/overview-${role}.html` : '/index.html'
}

/** Whether a page of somebody is asked for by nobody. Who follows a link from elsewhere may be somebody: `SameSite=Strict` leaves the cookie at home (Fetch Metadata tells). */
function isStranger({ request, url }: Exchange): boolean {
  const from = request.headers['sec-fetch-site']
  return (from === 'none' || from === 'same-origin') && !url.pathname.startsWith('/app/account/')
}

/** As the page itself would, but without having been loaded. */
function leadToSignIn({ response, url: { pathname, search } }: Exchange): void {
  const to = pathname === '/' ? '/app' : pathname + search
  const location = `/app/account/sign-in?${new URLSearchParams({ to })}`
  response.writeHead(302, { ...EVERYWHERE, location, 'cache-control': 'no-store' }).end()
}

/** Content Security Policy 3: scripts are our files or carry this answer's nonce; nobody else is asked for anything. */
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
