import { Problem } from '@trestle/problem/problem'
import { RpcError } from '@trestle/sdk/json-rpc'
import { DEFAULT_PROFILE, LOCAL_URL } from '../profiles/profile.js'
import { EXIT, type Exit, Failure } from './failure.js'

/** What is known about the attempt that failed. */
export interface FailureContext {
  readonly url: string
  readonly profile: string
  /** How the caller is logged in, if at all. */
  readonly login: 'account' | 'client' | 'token' | 'none'
  readonly requestId?: string
}

interface Explanation {
  readonly exit: Exit
  /** What happened. */
  readonly message: string
  /** More about it, a line each. */
  readonly details: readonly string[]
  /** What to do next. */
  readonly advice?: string
}

// Before the command line is parsed.
const NO_CONTEXT: FailureContext = { url: LOCAL_URL, profile: DEFAULT_PROFILE, login: 'none' }

/** What happened, and what to do next. */
export function explain(error: unknown, attempt: FailureContext = NO_CONTEXT): Explanation {
  if (error instanceof Failure) return { exit: error.exit, message: error.message, details: [], advice: error.advice }
  if (error instanceof Problem) return explainProblem(error, attempt)
  if (error instanceof RpcError) return explainRpc(error, attempt)
  return { exit: EXIT.unexpected, message: (error instanceof Error && error.message) || String(error), details: [] }
}

const BY_RPC_CODE: Readonly<Record<number, Exit>> = {
  // JSON-RPC 2.0 section 5.1: method not found, invalid params.
  [-32601]: EXIT.usage,
  [-32602]: EXIT.usage,
  // EIP-1474: resource unavailable, limit exceeded.
  [-32002]: EXIT.unreachable,
  [-32005]: EXIT.conflict,
}

/** The error of a node, in its own words. */
function explainRpc({ code, message, data, cause }: RpcError, attempt: FailureContext): Explanation {
  if (cause instanceof Problem) return explainProblem(cause, attempt)
  const details = [`JSON-RPC error ${code}`, ...(data === undefined ? [] : [JSON.stringify(data)])]
  return { exit: BY_RPC_CODE[code] ?? EXIT.unexpected, message, details }
}

function explainProblem(problem: Problem, attempt: FailureContext): Explanation {
  const exit = exitOf(problem)
  const { code, detail, errors = [], headers } = problem
  // The detail already names the first.
  const fields = errors.map(({ path, message }) => `${path}: ${message}`).filter((field) => !detail.startsWith(field))
  const wait = headers['retry-after']
  return {
    exit,
    message: detail,
    details: [...fields, ...(wait ? [`Try again in ${wait} s.`] : []), attempt.requestId ? `${code}, request ${attempt.requestId}` : code],
    advice: adviceOf(problem, exit, attempt),
  }
}

// Maps: a code is whatever the platform sends, such as `constructor`.
const BY_CODE: ReadonlyMap<string, Exit> = new Map([
  // The contract does not say what such a reply means.
  ['InvalidReply', EXIT.unexpected],
  // The staking area responds with 403.
  ['TokenExpired', EXIT.unauthenticated],
  ['UserNotVerified', EXIT.unauthenticated],
  ['LimitExceeded', EXIT.conflict],
  // Of a login in the browser (RFC 8628).
  ['AccessDenied', EXIT.forbidden],
  ['ExpiredDeviceCode', EXIT.unauthenticated],
])

const BY_STATUS: Readonly<Record<number, Exit>> = {
  401: EXIT.unauthenticated,
  403: EXIT.forbidden,
  404: EXIT.unknown,
  408: EXIT.unreachable,
  409: EXIT.conflict,
  429: EXIT.conflict,
  502: EXIT.unreachable,
  503: EXIT.unreachable,
  504: EXIT.unreachable,
}

function exitOf({ code, status }: Problem): Exit {
  return BY_CODE.get(code) ?? BY_STATUS[status] ?? (status < 500 ? EXIT.usage : EXIT.unexpected)
}

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    InvalidCredentials:
      'Check the e-mail address and password. Reset a forgotten password in the console, or with POST /accounts/users/password-resets.',
    InvalidSecondFactor: 'Each code of an app is accepted once: wait for the next one. A recovery code works, too.',
    InvalidChallenge: 'Run the command again.',
    StepUpRequired: 'Log in again: trestle login',
    ApprovalUsed: 'See what it has done; to do it again, run the command again.',
    InvalidApproval: 'Run the command again to ask for another approval.',
    FactorRequired: 'Add one: trestle factors add',
    UserNotVerified: 'Follow the link in the mail that you got at sign-up, then log in.',
    SignInWithProvider: 'Log in with: trestle login --browser',
    InvalidClient: 'Check that the client key still exists (trestle keys list), then: trestle login --client-id <id>',
    MissingRole: 'An owner of your organization can give you the role: trestle orgs roles',
    ServiceNotDeployed: 'That area is not deployed here. See: trestle status',
    Unreachable: 'Start a local platform with: trestle up. Choose another with: trestle login --url <url>, or TRESTLE_URL.',
  }),
)

function adviceOf({ code }: Problem, exit: Exit, { login, url, profile }: FailureContext): string | undefined {
  const advice = ADVICE.get(code)
  if (advice) return advice
  if (exit === EXIT.unreachable) return 'Check the platform with: trestle status'
  if (exit !== EXIT.unauthenticated) return undefined
  if (login === 'token') return 'TRESTLE_TOKEN is not a valid token of this platform, or not of the required kind.'
  if (login === 'client')
    return 'You are logged in with a client key. Either this requires an account (as keys, orgs, events and billing do), or the key was deleted. Run: trestle login'
  const where = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
  return `Run: trestle login${where}${url === LOCAL_URL ? '' : ` --url ${url}`}`
}
