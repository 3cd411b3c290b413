//! The program of cairn.h in Rust. generate.py makes cairn.rs:
//!
//!     generate.py api.json cairn.rs && rustc -O hello.rs -L FOLDER-OF-LIBCAIRN -l cairn
//!
//! A binding puts objects with lifetimes over this: api.json says which pointers may be null, how
//! long arrays stay valid, and what each call destroys.
mod cairn;
use cairn::*;
use std::ffi::CStr;

fn check<T>(value: T, is_good: bool) -> Result<T, String> {
    if is_good {
        return Ok(value);
    }
    Err(unsafe { CStr::from_ptr(cn_error()) }.to_string_lossy().into_owned())
}

fn main() -> Result<(), String> {
    unsafe {
        let gravity = vec2s { x: 0.0, y: -10.0 };
        let def = cn_world_def { gravity, ..Default::default() };
        let world = cn_world_create(&def);
        check((), !world.is_null())?;
        let ground = cn_body_create(world, &cn_body_def { r#type: CN_STATIC, ..Default::default() });
        let floor = cn_shape_def { hull: cn_box(50.0, 1.0), ..Default::default() };
        let shape = cn_shape_create(world, ground, &floor);
        check((), shape.id != 0)?;
        let position = vec2s { x: 0.0, y: 10.0 };
        let crate_ = cn_body_create(world, &cn_body_def { position, ..Default::default() });
        let cube = cn_shape_def { hull: cn_box(0.5, 0.5), density: 2.0, ..Default::default() };
        cn_shape_create(world, crate_, &cube);
        for _ in 0..120 {
            check((), cn_world_step(world, 1.0 / 60.0))?;
        }
        println!("the crate rests at a height of {:.3}", cn_body_position(world, crate_).y);
        let wrong = check((), cn_world_step(world, -1.0)).unwrap_err();
        assert!(wrong.starts_with("cn_world_step"), "{wrong}");
        cn_world_destroy(world);
    }
    Ok(())
}
