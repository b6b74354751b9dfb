import { applyDecorators, UseFilters } from '@nestjs/common'
import { MessagePattern } from '@nestjs/microservices'
import type { ReplyOf, RequestOf, ServiceRequest } from '@trestle/contracts/message'
import { RethrowFilter } from './rethrow.filter.js'

type Answering<Q extends ServiceRequest> = (request: RequestOf<Q>) => ReplyOf<Q> | Promise<ReplyOf<Q>>

/** The method answers this question; the request is parsed before it is called. One replica answers each time. */
export function RepliesTo<Q extends ServiceRequest>(question: Q) {
  return applyDecorators(MessagePattern(question.subject, { question }), UseFilters(RethrowFilter)) as <M extends Answering<Q>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ) => void
}
