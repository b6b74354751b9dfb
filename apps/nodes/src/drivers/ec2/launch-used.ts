import { DriverUnavailable } from '../driver.js'

/** Amazon knows the launch, of an instance that is gone. */
export class LaunchUsed extends DriverUnavailable {}
