import { DevBeacon } from './dev-beacon.js'
import type { BeaconSettings } from './settings.js'

// The process that startBeacon starts.
const settings: BeaconSettings = JSON.parse(process.env.BEACON_SETTINGS ?? '{}')
const beacon = await DevBeacon.open(settings)
process.on('SIGTERM', () => void beacon.close().then(() => process.exit(0)))
