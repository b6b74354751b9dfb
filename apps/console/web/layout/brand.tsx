import { Link } from 'react-router'

export function Brand() {
  return (
    <Link to="/app" className="brand">
      <img src="/favicon.svg" alt="" width={26} height={26} />
      Trestle
    </Link>
  )
}
