import { z } from 'zod'
import { accounts } from './accounts/api.js'
import { DEPLOYMENTS } from './areas.js'
import { btcConnect } from './btc-connect/api.js'
import { deliveryEndpoints } from './delivery.js'
import type { EndpointSpec } from './endpoint.js'
import { ethRpc } from './eth-rpc/api.js'
import { nodesArea } from './nodes/api.js'
import { staking } from './staking/api.js'

const AREAS = { accounts, staking, nodes: nodesArea, 'btc-connect': btcConnect, 'eth-rpc': ethRpc }
const DELIVERY = Object.entries(AREAS).map(([area, { delivery }]) => [area, delivery] as const)

describe(deliveryEndpoints, () => {
  it.each(DELIVERY)('are for administrators only in %s, and under its prefix', (area, delivery) => {
    const prefix = DEPLOYMENTS.find(({ app, prefixIsOwn }) => app === area && prefixIsOwn)?.basePath ?? ''
    expect(Object.values(delivery).map(({ access, method, path }) => `${access} ${method} ${path}`)).toEqual([
      `manager GET ${prefix}/outbox`,
      `manager GET ${prefix}/dead-letters`,
      `manager POST ${prefix}/dead-letters/{id}/retry`,
      `manager DELETE ${prefix}/dead-letters/{id}`,
    ])
  })

  it.each(Object.entries<EndpointSpec>(deliveryEndpoints('')))('can be written as JSON Schema: %s', (_, { params, query, reply }) => {
    for (const schema of [params, query]) if (schema) z.toJSONSchema(schema, { io: 'input', unrepresentable: 'throw' })
    if (reply) z.toJSONSchema(reply, { io: 'output', unrepresentable: 'throw' })
  })
})
