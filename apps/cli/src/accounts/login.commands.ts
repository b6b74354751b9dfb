import { accounts } from '@trestle/contracts/accounts/api'
import { Problem } from '@trestle/problem/problem'
import { signIn } from '@trestle/sdk/sign-in'
import { createTrestle } from '@trestle/sdk/trestle'
import { type CommandRun, command, flag, text } from '../command/command.js'
import { platformUrl } from '../env.js'
import { EXIT, Failure } from '../failure/failure.js'
import { relative } from '../output/duration.js'
import { type ClientLogin, type Login, tokenClaimsOf } from '../profiles/profile.js'
import { promptForCode } from '../profiles/second-factor.js'
import type { LoginSession } from '../profiles/session.js'
import { withBrowser } from './browser-login.js'

const base = '/accounts'

const OPTIONS = {
  url: text('url', 'the URL of the platform; stored in the profile'),
  email: text('address', 'the account; prompted for by default'),
  browser: flag('log in with a browser, on this machine or another: with a company, a passkey, or a second factor'),
  'password-stdin': flag('read the password from the standard input'),
  'client-id': text('id', 'log in as a client key instead, for programs'),
  'secret-stdin': flag('read the secret of the client key from the standard input'),
} as const

type LoginRun = CommandRun<unknown, typeof OPTIONS>

const login = command({
  name: 'login',
  about: 'Log in with an account, or with a client key.',
  details: [
    'An account gives access to everything for 12 hours, or until nobody has used the session for two. A client key gives access to staking, nodes, chains and Ethereum until it is deleted; its tokens are renewed automatically.',
    'With --browser you open a page, here or on any other machine, sign in there in whatever way you do, and confirm the code that the command line shows.',
    'If the account has a second factor, a code of its authenticator app or a recovery code is prompted for.',
    'The password or secret is prompted for without echo, or read from a pipe. No option takes it, since command lines are visible to others and kept in histories.',
  ],
  options: OPTIONS,
  calls: {
    base,
    endpoints: [
      accounts.sessions.signIn,
      accounts.secondFactors.answer,
      accounts.tokens.issue,
      accounts.deviceLogins.begin,
      accounts.tokens.oauthToken,
      accounts.users.me,
    ],
  },
  examples: [
    ['trestle login --url https://trestle.example', 'prompts for the e-mail address and password'],
    ['trestle login --browser', 'shows a page to open, and a code to confirm there'],
    ['trestle login --profile work --url https://trestle.work.example', 'a second platform; use it with --profile work'],
    ['trestle login --client-id client-0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11 --secret-stdin < secret', 'a program, with a client key'],
  ],
  async run(run) {
    const { options, session, store, terminal } = run
    const url = options.url ? platformUrl(options.url, '--url') : session.url
    warnOfPlainHttp(terminal, url)
    if (run.env.token) terminal.note('TRESTLE_TOKEN is set and takes precedence over any login.')
    const made = await loggedIn(run, url)
    store.setUrl(session.profile, url)
    store.setLogin(session.profile, made)
    const until = tokenClaimsOf(made.token ?? '')?.exp
    const name = made.kind === 'account' ? made.email : made.clientId
    const expiry = made.kind === 'account' && until ? `; it expires ${relative(until * 1000, run.now())}` : ''
    terminal.note(`Logged in at ${url} as ${name}${expiry}.`)
    return undefined
  },
})

function loggedIn(run: LoginRun, url: string): Promise<Login> {
  const { browser, 'client-id': clientId } = run.options
  if (browser && (clientId || run.options.email)) throw new Failure(EXIT.usage, '--browser takes neither --email nor --client-id.')
  if (browser) return withBrowser(run, url)
  return clientId ? withClientKey(run, url, clientId) : withAccount(run, url)
}

async function withAccount(run: LoginRun, url: string): Promise<Login> {
  const { options, session, store, terminal } = run
  const before = store.loginOf(session.profile)
  const email = options.email ?? (await askForEmail(run, before?.kind === 'account' ? before.email : undefined))
  const password = await askForPassword(terminal, `Password of ${email}`, options['password-stdin'])
  const trestle = createTrestle({ url, fetch: run.fetch })
  const { accessToken } = await signIn(trestle, { email, password, code: (challenge) => promptForCode(terminal, challenge) })
  return { kind: 'account', url, email, token: accessToken }
}

/** A prompt without echo, or the standard input. */
export async function askForPassword(terminal: CommandRun['terminal'], what: string, isPiped: boolean): Promise<string> {
  const password = isPiped
    ? await terminal.readAll()
    : await terminal.askSecret(`${what}: `, 'No terminal to ask for the password: pipe it in with --password-stdin.')
  requireText(password, 'The password')
  return password
}

async function askForEmail({ terminal }: LoginRun, usual?: string): Promise<string> {
  const question = usual ? `E-mail address (${usual}): ` : 'E-mail address: '
  const email = (await terminal.ask(question, 'No terminal to ask for the e-mail address: pass --email.')).trim() || usual
  requireText(email, 'The e-mail address')
  return email ?? ''
}

async function withClientKey({ options, terminal, fetch }: LoginRun, url: string, clientId: string): Promise<Login> {
  const otherwise = 'No terminal to ask for the secret: pipe it in with --secret-stdin.'
  const clientSecret = options['secret-stdin'] ? await terminal.readAll() : await terminal.askSecret(`Secret of ${clientId}: `, otherwise)
  requireText(clientSecret, 'The secret')
  const trestle = createTrestle({ url, fetch })
  const { accessToken } = await trestle.accounts.tokens.issue({ body: { grantType: 'clientCredentials', clientId, clientSecret } })
  return { kind: 'client', url, clientId, clientSecret, token: accessToken }
}

export function warnOfPlainHttp(terminal: CommandRun['terminal'], url: string): void {
  const { protocol, hostname } = new URL(url)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !isLocal) terminal.note(`Warning: ${url} is not encrypted. Anyone on the network path can read the password.`)
}

function requireText(given: string | undefined, what: string): void {
  if (!given) throw new Failure(EXIT.usage, `${what} is empty.`)
}

const logout = command({
  name: 'logout',
  about: 'End the session of this profile and forget its login.',
  details: ['A client key is not deleted. Do that with: trestle keys rm'],
  calls: { base, endpoints: [accounts.sessions.list, accounts.sessions.end] },
  examples: [['trestle logout', 'ends the session here and at the platform']],
  async run({ session, store, terminal }) {
    const { login: kind } = session
    const isEnded = kind !== 'account' || (await endSession(session.api()))
    store.forgetLogin(session.profile)
    if (!isEnded) terminal.note('The platform did not end the session: it expires 12 hours after the login.')
    terminal.note(kind === 'token' ? 'TRESTLE_TOKEN is still set: unset it yourself.' : 'Logged out.')
    return undefined
  },
})

/** Whether the session has ended at the platform, now or before. */
async function endSession({ accounts: { sessions } }: CommandRun['api']): Promise<boolean> {
  try {
    const current = (await sessions.list()).find((each) => each.current)
    if (current) await sessions.end({ params: { id: current.id } })
    return true
  } catch (error) {
    return error instanceof Problem && error.status === 401
  }
}

const whoami = command({
  name: 'whoami',
  about: 'Show who is logged in.',
  calls: { base, endpoints: [accounts.users.me] },
  examples: [
    ['trestle whoami', 'your profile'],
    ['trestle whoami -o json', 'the same, as the API answers it'],
  ],
  run: async (run) => (run.session.client ? keyHolder(run.session, run.session.client) : run.api.accounts.users.me()),
  view: (who) => ({
    fields:
      'clientId' in who
        ? [
            ['client key', who.clientId],
            ['user', who.id],
            ['areas', who.areas.join(', ')],
          ]
        : [
            ['name', who.displayName],
            ['e-mail', who.email],
            ['user', who.id],
            ['kind', who.entityType],
            ['since', who.createdAt.slice(0, 10)],
          ],
  }),
})

/** A client key has no profile; its token says what it may do. */
async function keyHolder(session: LoginSession, { clientId }: ClientLogin) {
  const { sub, aud = [] } = tokenClaimsOf(await session.token()) ?? {}
  return { id: sub, clientId, areas: [aud].flat() }
}

const token = command({
  name: 'token',
  about: 'Print a valid access token, for tools such as curl.',
  details: ['Treat it as a password. Use command substitution, as in the example, so that it is shown nowhere.'],
  calls: { base, endpoints: [accounts.tokens.issue] },
  examples: [['curl -H "Authorization: Bearer $(trestle token)" http://127.0.0.1:8080/nodes/users/me/nodes', 'a call by hand']],
  isText: true,
  run: ({ session }) => session.token(),
})

export const loginCommands = [login, logout, whoami, token]
