import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { oauthBody, oauthError } from './oauth-error.js'

/** Responds as OAuth clients expect: plain JSON with the members of RFC 6749 and those of every other problem. */
@Catch(Problem)
export class OAuthFilter implements ExceptionFilter {
  catch(problem: Problem, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    const reply = http.getResponse<FastifyReply>()
    const { status } = oauthError(problem)
    reply.request.problemCode = problem.code
    void reply
      .code(status)
      .headers(problem.headers)
      .header('content-type', 'application/json; charset=utf-8')
      // RFC 6749 section 5.2 wants it where the client used the header. Elsewhere some clients would ignore the body.
      .headers(
        status === 401 && http.getRequest<FastifyRequest>().headers.authorization ? { 'www-authenticate': 'Basic realm="trestle"' } : {},
      )
      .send(oauthBody(problem, reply.request.id))
  }
}
