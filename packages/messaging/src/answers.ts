import { applyDecorators, UseFilters } from '@nestjs/common'
import { MessagePattern } from '@nestjs/microservices'
import type { Answer, Question, Request } from '@trestle/contracts/message'
import { Rethrow } from './rethrow.filter.js'

type Answering<Q extends Question> = (request: Request<Q>) => Answer<Q> | Promise<Answer<Q>>

/** The method answers this question; the request is parsed before it is called. One replica answers each time. */
export function Answers<Q extends Question>(question: Q) {
  return applyDecorators(MessagePattern(question.subject, { question }), UseFilters(Rethrow)) as <M extends Answering<Q>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ) => void
}
