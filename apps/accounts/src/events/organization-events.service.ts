import { Injectable } from '@nestjs/common'
import { accountEvents, type OrganizationEvent } from '@trestle/contracts/accounts/events'
import type { Caller } from '@trestle/contracts/caller'
import { RostersService } from '../organizations/rosters.service.js'
import { EventNamesRepository } from './event-names.repository.js'
import { type EventListRequest, type EventPage, EventsService } from './events.service.js'
import { namedIn, organizationEvent } from './organization-event.js'

@Injectable()
export class OrganizationEventsService {
  constructor(
    private readonly rosters: RostersService,
    private readonly events: EventsService,
    private readonly names: EventNamesRepository,
  ) {}

  async list(
    caller: Caller,
    organizationId: string,
    request: EventListRequest & { changes: boolean },
  ): Promise<EventPage<OrganizationEvent>> {
    await this.rosters.read({ caller, organizationId, endpoint: accountEvents.ofOrganization })
    const { events, next } = await this.events.listOfOrganization(organizationId, request)
    const names = await this.names.read(organizationId, namedIn(events))
    return { events: events.map((event) => organizationEvent(event, names)), next }
  }
}
