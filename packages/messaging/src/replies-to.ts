import { applyDecorators, UseFilters } from '@nestjs/common'
import { MessagePattern } from '@nestjs/microservices'
import type { ReplyOf, RequestOf, ServiceRequest } from '@trestle/contracts/message'
import { RethrowFilter } from './rethrow.filter.js'

type Replying<R extends ServiceRequest> = (request: RequestOf<R>) => ReplyOf<R> | Promise<ReplyOf<R>>

/** `@MessagePattern` for a request of the contract, which is parsed before the method runs. One replica gets each request. */
export function RepliesTo<R extends ServiceRequest>(request: R) {
  return applyDecorators(MessagePattern(request.subject, { request }), UseFilters(RethrowFilter)) as <M extends Replying<R>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ) => void
}
