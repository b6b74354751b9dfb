import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Controller, type DynamicModule, Get, Req, StreamableFile } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { type Access, can, canInPerson, endpoint } from '@trestle/contracts/endpoint'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { CurrentCaller, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AuthModule, type AuthOptions } from '../src/auth.module.js'
import { Authenticator } from '../src/authenticator.js'
import { OpenStreams } from '../src/open-streams.js'
import { ISSUER } from './issuer.js'

export const CHALLENGE = 'Bearer realm="trestle"'
export const INVALID = `${CHALLENGE}, error="invalid_token"`

interface TestResponse {
  status: number
  body: { code?: string; detail?: string; title?: string; caller?: Record<string, unknown> }
  challenge: string | undefined
  retryAfter: string | undefined
}

export interface TestService extends RunningService {
  /** GETs a path with exactly these headers, names and values in turn. */
  get(path: string, ...headers: string[]): Promise<TestResponse>
  withToken(path: string, token: string): Promise<TestResponse>
}

/** Boots a small service with an endpoint for every kind of access; `messaging` provides `EventSubscriptions` and `NatsClient`. */
export async function startService(options: Partial<AuthOptions>, messaging: DynamicModule): Promise<TestService> {
  class TestModule {}
  const imports = [messaging, AuthModule.forRoot({ area: 'nodes', issuer: ISSUER, ...options })]
  const module: DynamicModule = { module: TestModule, imports, controllers: [CallerController] }
  const service = await bootService(module, { name: 'test', version: '0', env: authTestEnv(), endpoints, prepare: serveRaw })
  const get = (path: string, ...headers: string[]) => send(service.url + path, headers)
  return { ...service, get, withToken: (path, token) => get(path, 'authorization', `Bearer ${token}`) }
}

/** The answer to every invalid token, for whatever reason. */
export function invalid() {
  return { status: 401, body: { code: 'InvalidToken', title: 'Unauthorized' }, challenge: INVALID }
}

export function authTestEnv() {
  const addresses = { PUBLIC_URL: 'http://trestle.test', DATABASE_URL: 'postgres://none', NATS_URL: 'nats://none' }
  return parseEnv(z.object(serviceEnv), {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_PORT: '0',
    LOG_LEVEL: 'silent',
    ...addresses,
  })
}

const endpoints = {
  public: serving('public', '/public'),
  basic: serving('basic', '/basic'),
  account: serving('account', '/account'),
  client: serving('client', '/client'),
  manager: serving('manager', '/manager'),
  permitted: serving(can('nodes:read'), '/permitted'),
  inPerson: serving(canInPerson('nodes:create'), '/in-person'),
  stream: endpoint({ method: 'GET', path: '/stream', summary: 'Without an end.', access: 'client', status: 200, replyType: 'text/csv' }),
}

function serving(access: Access, path: `/${string}`) {
  return endpoint({ method: 'GET', path, summary: 'Who calls.', access, status: 200, reply: z.object({ caller: z.unknown() }) })
}

async function* ticks(): AsyncGenerator<string> {
  for (;;) {
    yield '.'
    await delay(50)
  }
}

@Controller()
class CallerController {
  constructor(private readonly streams: OpenStreams) {}

  @Serves(endpoints.public)
  public(@CurrentCaller() caller: CurrentCaller | undefined) {
    return { caller }
  }

  @Serves(endpoints.basic)
  basic(@CurrentCaller() caller: CurrentCaller | undefined) {
    return { caller }
  }

  @Serves(endpoints.account)
  account(@CurrentCaller() caller: CurrentCaller) {
    return { caller }
  }

  @Serves(endpoints.client)
  client(@CurrentCaller() caller: CurrentCaller) {
    return { caller }
  }

  @Serves(endpoints.manager)
  manager(@CurrentCaller() caller: CurrentCaller) {
    return { caller }
  }

  @Serves(endpoints.permitted)
  permitted(@CurrentCaller() caller: CurrentCaller) {
    return { caller: { ...caller, permissions: [...caller.permissions] } }
  }

  @Serves(endpoints.inPerson)
  inPerson(@CurrentCaller() caller: CurrentCaller) {
    return { caller }
  }

  /** Has no end of its own. */
  @Serves(endpoints.stream)
  stream(@Req() request: FastifyRequest): StreamableFile {
    const stream = Readable.from(ticks(), { objectMode: false })
    return new StreamableFile(this.streams.guard(stream, { request, access: 'client' }))
  }

  @Get('/unmarked')
  unmarked() {
    return {}
  }
}

async function serveRaw(app: NestFastifyApplication): Promise<void> {
  const authenticator = app.get(Authenticator)
  const fastify = app.getHttpAdapter().getInstance()
  fastify.get('/raw', async (request) => ({ caller: await authenticator.authenticate(request, 'client') }))
}

async function send(url: string, headers: string[]): Promise<TestResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<TestResponse>()
  request(url, { headers: ['host', 'trestle.test', ...headers], agent: false }, (response) => {
    text(response)
      .then((body) => {
        const { 'www-authenticate': challenge, 'retry-after': retryAfter } = response.headers
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(body), challenge, retryAfter })
      })
      .catch(reject)
  })
    .on('error', reject)
    .end()
  return promise
}
