import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Controller, type DynamicModule, Get } from '@nestjs/common'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { type Access, endpoint } from '@trestle/contracts/endpoint'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { CurrentCaller, Serves } from '@trestle/runtime/serves'
import { z } from 'zod'
import { AuthModule, type AuthOptions } from '../src/auth.module.js'
import { Authenticator } from '../src/authenticator.js'
import { Roles } from '../src/roles.guard.js'
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
  report: serving('client', '/report'),
}

function serving(access: Access, path: `/${string}`) {
  return endpoint({ method: 'GET', path, summary: 'Who calls.', access, status: 200, reply: z.object({ caller: z.unknown() }) })
}

@Controller()
class CallerController {
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

  @Roles('auditor', 'billing')
  @Serves(endpoints.report)
  report(@CurrentCaller() caller: CurrentCaller) {
    return { caller }
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
