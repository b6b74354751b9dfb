// What the nodes area replies.

const TIME = '2026-11-21T12:00:00.000Z'
const HEALTHY = { type: 'Healthy', status: 'true', reason: 'Healthy', message: '', since: TIME }
export const NODE_REPLY = {
  id: 'node-00000000-0000-4000-8000-000000000001',
  user: 'user-00000000-0000-4000-8000-000000000003',
  chain: 'ltc',
  network: 'mainnet',
  state: 'started',
  service: 'service-00000000-0000-4000-8000-000000000002',
  ip: '127.0.0.1',
  ttl: String(Date.parse('2026-11-23T12:00:00.000Z') / 1000),
  createdAt: TIME,
  updatedAt: TIME,
  startedAt: TIME,
  stoppedAt: null,
  serviceData: { amiPrefix: '', performance: 'standard', software: 'litecoind-0.21.4', ports: [9332] },
  userPlanData: {
    id: 'user-plan-00000000-0000-4000-8000-000000000004',
    plan: 'plan-00000000-0000-4000-8000-000000000005',
    startsAt: TIME,
    expiresAt: TIME,
  },
  vendor: { name: 'local', subnet: '', securityGroups: [], region: 'here', instanceType: '', quickSync: false },
  auth: { type: 'basic', user: 'u', pass: 'p4ss' },
  url: 'http://any/nodes/rpc/1',
  allowedIps: [],
  phase: 'ready',
  conditions: [HEALTHY],
  instance: { region: 'here', id: '', imageId: '' },
}

export const STATUS_REPLY = {
  state: 'started',
  phase: 'ready',
  conditions: [HEALTHY],
  height: 7,
  lag: 0,
  progress: 1,
  peers: 8,
  diskBytes: 5 * 2 ** 30,
  asOf: TIME,
}
