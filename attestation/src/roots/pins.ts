import type { ProductLine } from '../product.js'

/** One of AMD's authorities: SHA-256 of its certificate and of its SubjectPublicKeyInfo, in hex. */
export type Pin = {
  readonly name: string
  readonly product: ProductLine
  readonly certificate: string
  readonly spki: string
}

/** AMD's root keys (ARK): the trust anchors. All else is trusted only as far as one of them vouches for it. */
export const AMD_ROOTS: readonly Pin[] = [
  {
    name: 'ARK-Milan',
    product: 'Milan',
    certificate: '69d063b45344d26a2e94e1f4210de49ef555308287d4c174445c95639a540bcd',
    spki: '9f056bee44377e29308cb5ffa895bdfb62d18881fa6bed8d6f075b0204089cb9',
  },
  {
    name: 'ARK-Genoa',
    product: 'Genoa',
    certificate: '4c6598d19c18719c5dfd4a7d335f674e5bfe1d8f800cea2cf270c10d103db2f1',
    spki: '429a69c9422aa258ee4d8db5fcda9c6470ef15f8cd5a9cebd6cbc7d90b863831',
  },
  {
    name: 'ARK-Turin',
    product: 'Turin',
    certificate: '1f084161a44bb6d93778a904877d4819cafa5d05ef4193b2ded9dd9c73dd3f6a',
    spki: '4f125410563a2ab9a50356f9243f6fe0b6f73de98603f53f90339c70e9d7ad08',
  },
]

/** The intermediates that AMD publishes today, as facts for a reader: a chain needs a root, not one of these. */
export const AMD_INTERMEDIATES: readonly Pin[] = [
  {
    name: 'SEV-Milan',
    product: 'Milan',
    certificate: '67d303bd3905fd38db8b20e0793699870e7fa612eaad5dec358293fd8c0bac1b',
    spki: '42491669ccb851d627ea9846cd24eccbeb7de7c2a62740120fff88001d38ebb6',
  },
  {
    name: 'SEV-VLEK-Milan',
    product: 'Milan',
    certificate: 'c5e081f59b7efab1fe2f8b505e159704e72f29cab7ef7cf628a05a42439082f5',
    spki: '66450a123ea5876206df67f2514a4fea224c0f63b18313423078b0edc4535e33',
  },
  {
    name: 'SEV-Genoa',
    product: 'Genoa',
    certificate: '5464738c1546aed5f2cecf1dc98c5c960a92e8913238a61711bc90ec6e828521',
    spki: '0324d55bcd48ba877a8fd87c0e1b4934dec8448e3807a24384a34dc6a6c9ebb8',
  },
  {
    name: 'SEV-VLEK-Genoa',
    product: 'Genoa',
    certificate: '197e610743a917d6b9bb982a5a9226ccc0a15b611be0619e626aca9151457372',
    spki: '7d1633252ebbadaa75f96e9b4e6f7d43a90ceb3f843937482630f8da2459264e',
  },
  {
    name: 'SEV-Turin',
    product: 'Turin',
    certificate: '5b77ef5fe7a7a004fd9032668fba9d0fda22f88c4442069a479636a6ae3b3185',
    spki: '0000ead352025f208bf55297c4192c34cd1b878002107366d8f2065a9ae7d3a9',
  },
  {
    name: 'SEV-VLEK-Turin',
    product: 'Turin',
    certificate: '104e10a8bd060a3c20a434261a57d0588fd65a88915b4f65b08bdecaf8df1a3c',
    spki: 'bfc441408b2f806c5dbf180bd8920e6e60dd404d82141780d85dbf962954d386',
  },
]
