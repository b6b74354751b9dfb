import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'

// The baseline: Nest on Fastify with one route, no guard, no log, no database; an answer of a profile's size.
const profile = {
  id: 'user-00000000-0000-4000-8000-000000000000',
  email: 'demo@trestle.local',
  displayName: 'Demo',
  entityType: 'individual',
  verifiedAt: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  billingAddress: { country: 'CH', zipCode: '8000', address: 'Bahnhofstrasse 1', state: 'ZH' },
}

class ProfileController {
  me() {
    return profile
  }
}
class BareModule {}

// Decorators are called as plain functions: this file runs without a compiler.
Controller()(ProfileController)
Get('users/me')(ProfileController.prototype, 'me', Object.getOwnPropertyDescriptor(ProfileController.prototype, 'me') ?? {})
Module({ controllers: [ProfileController] })(BareModule)

const app = await NestFactory.create(BareModule, new FastifyAdapter(), { logger: false })
await app.listen(0, '127.0.0.1')
console.log(await app.getUrl())
