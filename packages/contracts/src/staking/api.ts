import { chains, regions } from './chains.js'
import { performance } from './performance.js'
import { reports } from './reports.js'
import { validators } from './validators.js'

export const staking = { chains, regions, validators, performance, reports }
