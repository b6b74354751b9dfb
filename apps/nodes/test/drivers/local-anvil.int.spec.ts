import { findAnvil } from '@trestle/devnet/ethereum/anvil'
import { describeDriver } from './driver-suite.js'
import { localHarness } from './local-harness.js'

describeDriver('local, with anvil', () => localHarness('eth', { anvil: findAnvil() }))
