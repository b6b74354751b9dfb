import { Controller, Header, Req } from '@nestjs/common'
import { btcConnect } from '@trestle/contracts/btc-connect/api'
import type { Input } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import type { FastifyRequest } from 'fastify'
import { EventStreamsService } from './event-streams.service.js'

const { events } = btcConnect

@Controller()
export class EventStreamsController {
  constructor(private readonly events: EventStreamsService) {}

  @Serves(events.stream)
  // Disables buffering in proxies that know this header.
  @Header('x-accel-buffering', 'no')
  stream(@CurrentCaller() caller: CurrentCaller, @Parsed() { query }: Input<typeof events.stream>, @Req() request: FastifyRequest) {
    return this.events.open(caller.userId, query, request)
  }
}
