import bosphorus from './art/bosphorus.svg?no-inline';
import cappadocia from './art/cappadocia.svg?no-inline';
import celsus from './art/celsus.svg?no-inline';
import iznik from './art/iznik.svg?no-inline';
import nemrut from './art/nemrut.svg?no-inline';
import pamukkale from './art/pamukkale.svg?no-inline';
import selimiye from './art/selimiye.svg?no-inline';

/** Bosphorus at dusk behind a hero: fills its positioned parent, mirrored in Arabic. */
export function HeroArt() {
  return (
    <img
      alt=""
      className="hero-art"
      fetchPriority="high"
      height="1000"
      src={bosphorus}
      width="1600"
    />
  );
}

/** The same drawing as a band of 240 px (132 at 390) under the header. */
export function BandArt() {
  return (
    <div aria-hidden="true" className="band-art">
      <img alt="" height="1000" src={bosphorus} width="1600" />
    </div>
  );
}

const plates = { cappadocia, celsus, pamukkale, nemrut, selimiye, iznik };
export type PlateName = keyof typeof plates;

/** A plate of 400 x 500. */
export function Plate({ name }: { name: PlateName }) {
  return (
    <img alt="" className="plate" height="500" loading="lazy" src={plates[name]} width="400" />
  );
}
