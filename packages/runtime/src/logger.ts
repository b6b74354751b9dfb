import type { LoggerService } from '@nestjs/common'
import { trace } from '@opentelemetry/api'
import { type DestinationStream, type LogFn, type LoggerOptions, pino } from 'pino'
import { currentRequestId } from './request.js'

/** The log of the service: JSON lines with the ids of the current request and trace. Inject it by this class. */
export abstract class Logger {
  abstract readonly fatal: LogFn
  abstract readonly error: LogFn
  abstract readonly warn: LogFn
  abstract readonly info: LogFn
  abstract readonly debug: LogFn
}

const SECRETS = new Set([
  'password',
  'secret',
  'token',
  'accesstoken',
  'refreshtoken',
  'clientsecret',
  'authorization',
  'privatekey',
  'mnemonic',
])
const MAX_DEPTH = 4

export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    name,
    level,
    // Pino's own redaction of nested members would double the cost of logging a request.
    formatters: { log: (line) => withoutSecrets(line) },
    mixin: () => {
      const requestId = currentRequestId()
      const traceId = currentTraceId()
      return { ...(requestId && { requestId }), ...(traceId && { traceId }) }
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The trace that the current work belongs to, where tracing is on. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId
}

/** Changes `line`, which is pino's own copy (merged from the mixin's object and the caller's); nested objects are copied. */
function withoutSecrets(line: Record<string, unknown>, depth = 0): Record<string, unknown> {
  for (const [key, value] of Object.entries(line)) {
    if (SECRETS.has(key.toLowerCase())) line[key] = '[redacted]'
    else if (isPlainObject(value) && depth < MAX_DEPTH) line[key] = withoutSecrets({ ...value }, depth + 1)
  }
  return line
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Nest's lines in our log; those of its start matter only when debugging. */
export function nestLogger(logger: Logger): LoggerService {
  return {
    log: (message, context) => logger.debug({ context }, text(message)),
    debug: (message, context) => logger.debug({ context }, text(message)),
    verbose: (message, context) => logger.debug({ context }, text(message)),
    warn: (message, context) => logger.warn({ context }, text(message)),
    // Nest passes (message, stack, context), or (error, context).
    error: (message, ...details) => logger.error({ err: message instanceof Error ? message : undefined, details }, text(message)),
    fatal: (message, ...details) => logger.fatal({ err: message instanceof Error ? message : undefined, details }, text(message)),
  }
}

function text(message: unknown): string {
  return message instanceof Error ? message.message : String(message)
}
