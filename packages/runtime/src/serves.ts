import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Header,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common'
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { Caller as VerifiedCaller } from '@trestle/contracts/caller'
import type { EndpointSpec, Reply, WritableReply } from '@trestle/contracts/endpoint'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseInput } from './parse-input.js'
import './request.js'

/** The metadata key under which a handler carries its EndpointSpec. */
export const ENDPOINT = 'trestle:endpoint'

type Answer<E extends EndpointSpec> = E extends { replyType: string } ? unknown : JsonAnswer<E>
// biome-ignore lint/suspicious/noConfusingVoidType: the method that serves a 204 returns nothing.
type JsonAnswer<E extends EndpointSpec> = E['reply'] extends z.ZodType ? WritableReply<Reply<E>> : void
type Handler<E extends EndpointSpec> = (...args: never[]) => Answer<E> | Promise<Answer<E>>

/** Serves an endpoint of the contract with this method; the compiler checks the type of its reply. */
export function Serves<E extends EndpointSpec>(endpoint: E) {
  const { method, path, status, replyType, reply } = endpoint
  const decorate = applyDecorators(
    RequestMapping({ method: RequestMethod[method], path: routePath(path) }),
    HttpCode(status),
    SetMetadata(ENDPOINT, endpoint),
    RouteConfig({ endpoint }),
    ...(replyType && !reply ? [Header('content-type', `${replyType}; charset=utf-8`)] : []),
  )
  return <H extends Handler<E>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>): void => {
    decorate(target, key, descriptor)
    // What an endpoint without input is sent is refused too.
    if (!isParsed(target, key)) Parsed()(target, key, descriptor.value?.length ?? 0)
  }
}

function isParsed(target: object, key: string | symbol): boolean {
  const parameters: Record<string, { factory?: unknown }> = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) ?? {}
  return Object.values(parameters).some(({ factory }) => factory === parsedInput)
}

const parsedInput = (_: unknown, context: ExecutionContext) => parseInput(requestOf(context))

/** The request's params, query and body as the endpoint declares them: `input: Input<typeof endpoint>`. */
export const Parsed = createParamDecorator(parsedInput)

/** Whom the bearer token speaks for; undefined on a public endpoint. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).caller)
export type CurrentCaller = VerifiedCaller

/** `/users/{userId}` as the router writes it: `/users/:userId`. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>()
}
