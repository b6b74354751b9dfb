import {
  countResources,
  describeOrganizations,
  describeUsers,
  getMembership,
  listKeys,
  listMembers,
  listMemberships,
  listRevocations,
  membershipChanged,
  organizationDissolved,
  revocationRecorded,
  signingKeyCompromised,
  userDeleted,
  userDisabled,
  userEnabled,
} from '../accounts/messages.js'
import { activityRecorded } from '../activity.js'
import { callsCounted, computeUnitsSpent, filters, projectChanged } from '../eth-rpc/messages.js'
import type { Broadcast, DomainEvent, ServiceRequest, StateStream } from '../message.js'
import { nodeChanged } from '../nodes/messages.js'
import { securityEventsRecorded } from '../security-event.js'
import { validatorChangeRequested, validatorTransferred, validatorUpdateRequested } from '../staking/messages.js'

/** What is sent over NATS, and by whom. */
export interface Messages {
  readonly requests: readonly ServiceRequest[]
  readonly events: readonly DomainEvent[]
  readonly broadcasts: readonly Broadcast[]
  readonly states: readonly StateStream[]
}

/** Every message of the platform. What is not listed here no service may send or receive. */
export const MESSAGES: Messages = {
  requests: [listKeys, listRevocations, listMemberships, describeUsers, describeOrganizations, getMembership, listMembers, countResources],
  events: [
    activityRecorded,
    securityEventsRecorded,
    revocationRecorded,
    membershipChanged,
    organizationDissolved,
    signingKeyCompromised,
    userDeleted,
    userDisabled,
    userEnabled,
    projectChanged,
    validatorUpdateRequested,
    validatorTransferred,
  ],
  broadcasts: [callsCounted, computeUnitsSpent, nodeChanged, validatorChangeRequested],
  states: [filters],
}
