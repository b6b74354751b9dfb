import { deliveryEndpoints } from '../delivery.js'
import { chains, regions } from './chains.js'
import { custody } from './custody.js'
import { performance } from './performance.js'
import { reports } from './reports.js'
import { validators } from './validators.js'

const delivery = deliveryEndpoints('staking/')

export const staking = { chains, regions, validators, performance, reports, custody, delivery }
