import { DriverUnavailable } from '../driver.js'

/** The launch was used already, by an instance that is terminated. */
export class LaunchUsed extends DriverUnavailable {}
