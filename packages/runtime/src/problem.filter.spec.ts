import { jest } from '@jest/globals'
import { ForbiddenException, UnauthorizedException } from '@nestjs/common'
import { Problem } from '@trestle/problem/problem'
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import { ErrorTranslators } from './error-translators.js'
import type { Logger } from './logger.js'
import { ProblemFilter } from './problem.filter.js'

describe(ProblemFilter, () => {
  it('responds with the Problem of the first translator that recognizes the error', () => {
    const translators = new ErrorTranslators()
    translators.add(() => undefined)
    translators.add((error) =>
      error === 'ECONNREFUSED' ? new Problem('unavailable', 'DatabaseUnavailable', 'Later.', { cause: error }) : undefined,
    )
    translators.add(() => new Problem('conflict', 'TooLate', 'No.'))
    expect(answerTo('ECONNREFUSED', translators)).toMatchObject({
      status: 503,
      body: { code: 'DatabaseUnavailable', requestId: 'request-1' },
      logged: 1,
    })
  })

  it.each([
    [new Problem('unknown', 'UnknownUser', 'Nobody.'), 404, 'UnknownUser'],
    [new Problem('unavailable', 'Busy', 'Too much at once.'), 503, 'Busy'],
    [new ForbiddenException(), 403, 'Forbidden'],
    [new UnauthorizedException(), 401, 'Unauthenticated'],
    [new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 413, 'BodyTooLarge'],
    [new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH(), 400, 'InvalidBody'],
    [new errorCodes.FST_ERR_NOT_FOUND(), 404, 'NotFound'],
  ])('responds to %p with %i %s and does not log it', (error, status, code) => {
    expect(answerTo(error)).toMatchObject({ status, body: { code }, logged: 0 })
  })

  it.each([new Error('inside'), 'inside', undefined, null, new errorCodes.FST_ERR_HANDLER_TIMEOUT()])(
    'answers %p with 500, logs it and tells nothing',
    (error) => {
      const { status, body, logged } = answerTo(error)
      expect({ status, code: body.code, logged }).toEqual({ status: 500, code: 'InternalError', logged: 1 })
      expect(JSON.stringify(body)).not.toContain('inside')
    },
  )

  it('cuts off a response that has begun', () => {
    const { reply, request, sent } = exchange()
    Object.assign(reply.raw, { headersSent: true })
    new ProblemFilter(new ErrorTranslators(), logger()).respond(new Error('inside'), request, reply)
    expect(reply.raw.destroy).toHaveBeenCalled()
    expect(sent()).toBeUndefined()
  })
})

function answerTo(error: unknown, translators = new ErrorTranslators()) {
  const { reply, request, sent } = exchange()
  const log = logger()
  new ProblemFilter(translators, log).respond(error, request, reply)
  const body = JSON.parse(sent() ?? '{}')
  return { status: body.status, body, logged: (log.error as unknown as jest.Mock).mock.calls.length }
}

function exchange() {
  let sent: string | undefined
  const request = { id: 'request-1', routeOptions: {} } as FastifyRequest
  const reply = {
    request,
    server: {},
    sent: false,
    raw: { headersSent: false, destroy: jest.fn() },
    code: () => reply,
    headers: () => reply,
    header: () => reply,
    send,
  }
  function send(body: string) {
    sent = body
    return reply
  }
  return { request, reply: reply as unknown as FastifyReply, sent: () => sent }
}

function logger(): Logger {
  return { error: jest.fn() } as unknown as Logger
}
