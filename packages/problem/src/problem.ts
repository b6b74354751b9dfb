const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown: 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  timeout: 408,
  conflict: 409,
  'too-large': 413,
  'too-long': 414,
  'unsupported-type': 415,
  'expectation-failed': 417,
  'too-many': 429,
  'headers-too-large': 431,
  internal: 500,
  'bad-upstream': 502,
  unavailable: 503,
  'upstream-timeout': 504,
} as const

const TITLE: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** What went wrong, in domain terms; the HTTP status is looked up at the edge. */
export type ProblemKind = keyof typeof STATUS

export interface FieldError {
  path: string
  message: string
}

interface ProblemOptions extends ErrorOptions {
  errors?: readonly FieldError[]
  /** Headers of the response, such as `WWW-Authenticate`. */
  headers?: Readonly<Record<string, string>>
  /** Members of this problem only (RFC 9457 section 3.2). */
  extensions?: Readonly<Record<string, unknown>>
}

/** The JSON of RFC 9457, with the members of this platform. */
interface ProblemDetails {
  type: string
  title: string
  status: number
  detail: string
  code: string
  /** Repeats `detail` for older clients. */
  message: string
  requestId?: string
  errors?: readonly FieldError[]
}

/** The only error that may cross a process boundary. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly extensions: Readonly<Record<string, unknown>> | undefined

  constructor(
    readonly kind: ProblemKind,
    readonly code: string,
    readonly detail: string,
    extras: ProblemOptions = {},
  ) {
    super(detail, extras)
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
    this.extensions = extras.extensions
  }

  get status(): number {
    return STATUS[this.kind]
  }

  toJSON(): ProblemDetails {
    const { code, detail, status, errors, extensions } = this
    const standard = { type: 'about:blank', title: titleOf(status), status, detail, code, message: detail, ...(errors && { errors }) }
    return { ...extensions, ...standard }
  }
}

/** The status text, which RFC 9457 section 4.2.1 requires as the title of an `about:blank` problem. */
export function titleOf(status: number): string {
  return TITLE[status] ?? (status < 500 ? 'Bad Request' : 'Internal Server Error')
}

/** The kind with this status; a status without one has the general kind of its class. */
export function kindOf(status: number): ProblemKind {
  return (
    Object.keys(STATUS)
      .filter(isKind)
      .find((kind) => STATUS[kind] === status) ?? (status < 500 ? 'invalid' : 'internal')
  )
}

function isKind(name: string): name is ProblemKind {
  return name in STATUS
}

/** `Retry-After` (RFC 9110 section 10.2.3) in whole seconds, at least one. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}
