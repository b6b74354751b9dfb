import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common'
import { kindOf, Problem } from '@trestle/problem/problem'
import { codeOf } from '@trestle/problem/thrown'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ErrorTranslators } from './error-translators.js'
import { Logger } from './logger.js'

/** The only place that turns an error into an HTTP response. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly translators: ErrorTranslators,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    this.respond(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
  }

  respond(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = this.problemOf(error, request)
    // A Problem without a cause is our decision, such as a rate limit; its line in the request log says enough.
    if (problem.kind === 'internal' || (problem.status >= 500 && problem.cause))
      this.logger.error({ err: error, route: request.routeOptions.url }, 'a request failed')
    // A response that has begun can only be cut off, so that the client sees it is incomplete.
    if (reply.raw.headersSent) reply.raw.destroy()
    else sendProblem(reply, problem)
  }

  private problemOf(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error
    return this.translators.translate(error) ?? frameworkProblem(error, request) ?? internalProblem(error)
  }
}

/** How an area writes its Problems, where its clients expect another form than this platform's; undefined elsewhere. */
type ProblemForm = (problem: Problem, request: FastifyRequest) => WrittenProblem | undefined
type WrittenProblem = Readonly<Record<'type' | 'body', string>>

declare module 'fastify' {
  interface FastifyInstance {
    problemForm?: ProblemForm
  }
}

/** Responds with a Problem where there is no filter: in a raw route or a Fastify hook. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.problemCode = problem.code
  const { type, body } = reply.server.problemForm?.(problem, reply.request) ?? problemDetails(problem, reply.request)
  return reply.code(problem.status).headers(problem.headers).header('content-type', `${type}; charset=utf-8`).send(body)
}

/** RFC 9457. */
function problemDetails(problem: Problem, { id: requestId }: FastifyRequest): WrittenProblem {
  return { type: 'application/problem+json', body: JSON.stringify({ ...problem.toJSON(), requestId }) }
}

const FASTIFY_PROBLEMS: Record<string, (request: FastifyRequest) => Problem> = {
  FST_ERR_BAD_URL: () => new Problem('invalid', 'InvalidPath', 'The path is not well-formed.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('too-long', 'PathTooLong', 'A segment of the path is too long.'),
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions: { bodyLimit } }) =>
    new Problem('too-large', 'BodyTooLarge', `The body is larger than ${bodyLimit} bytes; send less in one request.`),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('invalid', 'InvalidBody', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
}

export function unsupportedMediaType(
  detail = 'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".',
): Problem {
  return new Problem('unsupported-type', 'UnsupportedMediaType', detail)
}

/** The Problem for an error of Fastify or Nest. */
export function frameworkProblem(error: unknown, request: FastifyRequest): Problem | undefined {
  if (!(error instanceof Error)) return undefined
  const known = FASTIFY_PROBLEMS[codeOf(error) ?? '']
  if (known) return known(request)
  const statusCode = 'statusCode' in error && Number(error.statusCode)
  const status = error instanceof HttpException ? error.getStatus() : statusCode
  if (!status || status < 400 || status >= 500) return undefined
  const kind = kindOf(status)
  return new Problem(kind, CODES[kind] ?? 'InvalidRequest', error.message, { cause: error })
}

const CODES: Partial<Record<Problem['kind'], string>> = {
  unauthenticated: 'Unauthenticated',
  forbidden: 'Forbidden',
  unknown: 'NotFound',
}

function internalProblem(error: unknown): Problem {
  // The cause is logged; the caller sees no internals.
  return new Problem('internal', 'InternalError', 'Something went wrong on our side.', { cause: error })
}
