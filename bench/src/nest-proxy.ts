import 'reflect-metadata'
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Pool } from 'undici'

// An idiomatic Nest proxy: the body is parsed to an object, and so is the answer.

const pool = new Pool(process.argv[2] ?? '', { connections: 128 })
const headers = { 'content-type': 'application/json' }

class ProxyController {
  async forward(call: unknown): Promise<unknown> {
    const { body } = await pool.request({ method: 'POST', path: '/', headers, body: JSON.stringify(call) })
    return body.json()
  }
}
class ProxyModule {}

// Decorators are called as plain functions: this file runs without a compiler.
const forward = Object.getOwnPropertyDescriptor(ProxyController.prototype, 'forward') ?? {}
Controller('v1')(ProxyController)
Post(':project')(ProxyController.prototype, 'forward', forward)
HttpCode(200)(ProxyController.prototype, 'forward', forward)
Body()(ProxyController.prototype, 'forward', 0)
Module({ controllers: [ProxyController] })(ProxyModule)

const app = await NestFactory.create(ProxyModule, new FastifyAdapter(), { logger: false })
await app.listen(0, '127.0.0.1')
console.log(await app.getUrl())
