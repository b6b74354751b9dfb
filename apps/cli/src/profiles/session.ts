import { Problem } from '@trestle/problem/problem'
import type { TokenSource, UnapprovedRequest } from '@trestle/sdk/connection'
import { clientCredentials } from '@trestle/sdk/token-source'
import { createTrestle, type Trestle } from '@trestle/sdk/trestle'
import type { Env } from '../env.js'
import type { FailureContext } from '../failure/explanation.js'
import { EXIT, Failure } from '../failure/failure.js'
import { askForApproval, keyCannotAsk } from './approval.js'
import { type ClientLogin, DEFAULT_PROFILE, isFresh, LOCAL_URL, type Login, PERSONAL } from './profile.js'
import type { ProfileStore } from './profile-store.js'
import { type CodePrompt, proveAgain } from './second-factor.js'
import type { TracedFetch } from './traced-fetch.js'

interface SessionOptions {
  readonly env: Env
  readonly store: ProfileStore
  readonly wire: TracedFetch
  /** From the command line. */
  readonly profile?: string
  readonly org?: string
  /** Where a second factor is asked for. */
  readonly terminal: CodePrompt
  now(): Date
}

/** A minute less than the platform's ten. */
const FRESH_MS = 9 * 60_000

/** The platform to call, and the login for it. */
export class LoginSession {
  readonly profile: string
  readonly url: string
  /** The platform, without a login. */
  readonly open: Trestle
  /** The token of a second factor that was proven in this run: a run asks once. */
  private proven?: { readonly token: string; readonly freshUntil: number }

  constructor(private readonly options: SessionOptions) {
    const { env, store, profile = env.profile ?? DEFAULT_PROFILE } = options
    this.profile = profile
    this.url = env.url ?? store.urlOf(profile) ?? LOCAL_URL
    this.open = createTrestle({
      url: this.url,
      fetch: options.wire.fetch,
      stepUp: () => this.stepUp(),
      approve: (request) => this.approve(request),
    })
  }

  get login(): FailureContext['login'] {
    return this.options.env.token ? 'token' : (this.stored?.kind ?? 'none')
  }

  /** The client key, if the login is one. */
  get client(): ClientLogin | undefined {
    const { stored } = this
    return stored?.kind === 'client' ? stored : undefined
  }

  /** Stores the token that has replaced the one of this login. One from the environment is not stored. */
  keepToken(token: string): void {
    this.proven = { token, freshUntil: this.options.now().getTime() + FRESH_MS }
    const { stored } = this
    if (stored?.kind === 'account') this.options.store.setLogin(this.profile, { ...stored, token })
  }

  /** The platform, with the login, about the organization that was chosen. */
  api(): Trestle {
    return this.open.with({ token: this.source(), organization: this.organization })
  }

  /** Undefined for the personal one, or that of a client key. */
  get organization(): string | undefined {
    const { env, store, org = env.organization ?? store.organizationOf(this.profile) } = this.options
    return org === PERSONAL ? undefined : org
  }

  /** A valid access token. */
  async token(): Promise<string> {
    const source = this.source()
    return typeof source === 'string' ? source : source.current()
  }

  /** For what demands a fresh proof of the second factor. A stored login keeps the newer token. */
  private async stepUp(): Promise<string> {
    const now = this.options.now().getTime()
    if (this.proven && now < this.proven.freshUntil) return this.proven.token
    const token = await proveAgain(this.api(), this.options.terminal).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'UnknownSecondFactor' ? this.nothingToProve() : error
    })
    this.keepToken(token)
    return token
  }

  /** Asks for the approval that a command needs. Once it is given, the same command run again collects it here. */
  private approve(request: UnapprovedRequest): Promise<string> {
    if (this.client) throw keyCannotAsk()
    return askForApproval(this.api(), request)
  }

  /** Read on demand: a refused file stops only the commands that need it. */
  private get stored(): Login | undefined {
    const { env, store } = this.options
    const stored = env.token ? undefined : store.loginOf(this.profile)
    return stored?.url === this.url ? stored : undefined
  }

  private source(): string | TokenSource {
    const { env } = this.options
    if (env.token) return env.token
    const { stored } = this
    if (!stored) throw this.notLoggedIn()
    return stored.kind === 'account' ? stored.token : this.clientSource(stored)
  }

  /** Stores each token, which is valid for an hour, for later runs. */
  private clientSource(login: ClientLogin): TokenSource {
    const { now, store } = this.options
    const source = clientCredentials(this.open, login, () => now().getTime())
    const keep = async (fresh: Promise<string>) => {
      const token = await fresh
      try {
        store.setLogin(this.profile, { ...login, token })
      } catch (error) {
        // A key in a read-only folder, such as a mounted secret, works all the same: each run requests a token.
        if (!(error instanceof Failure)) throw error
      }
      return token
    }
    return {
      current: async () => (login.token && isFresh(login.token, now()) ? login.token : keep(source.current())),
      renew: (refused) => keep(source.renew(refused)),
    }
  }

  /** The platform takes a fresh sign-in from browsers only: that of a command line may rest on an older one. */
  private nothingToProve(): Failure {
    return new Failure(
      EXIT.unauthenticated,
      'This needs a proof that it is you, and you have neither a password nor a second factor.',
      `Sign in again in the console and do it there: ${this.url}/app/settings. Or add a second factor there.`,
    )
  }

  private notLoggedIn(): Failure {
    const { store } = this.options
    const elsewhere = store.loginOf(this.profile)?.url
    const where = this.profile === DEFAULT_PROFILE ? '' : ` --profile ${this.profile}`
    return new Failure(
      EXIT.unauthenticated,
      elsewhere ? `You are logged in at ${elsewhere}, not at ${this.url}.` : `You are not logged in at ${this.url}.`,
      `Run: trestle login${where}${this.url === LOCAL_URL ? '' : ` --url ${this.url}`}`,
    )
  }
}
